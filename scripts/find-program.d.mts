export function findProgram(names: string[], environment?: NodeJS.ProcessEnv): string | null;
export function findOrInstall<T>(find: () => T | null, packages: string[], why: string): T;
