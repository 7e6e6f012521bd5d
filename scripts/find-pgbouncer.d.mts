export function findPgbouncer(): string;
