/** Texts of statements that are the same at each call, whatever they are called with. */
export const FIXED_STATEMENTS = new Set<string>();
