export function projectsOf(path: string): string[];
