export function compress(directory: string): void;
