/** Every forbidden import, one line each. */
export function forbiddenArrows(sources: Map<string, string>): string[];
