export const CLIENT_SOURCES: string[];
export const SERVER_SOURCES: string[];
export function isBuilt(output: string, sources: string[]): boolean;
