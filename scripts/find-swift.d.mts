export function findSwift(): string;
