/** Every arrow that the house forbids, one line each. */
export function forbiddenArrows(sources: Map<string, string>): string[];
