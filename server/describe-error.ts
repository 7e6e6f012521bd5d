interface DescribedError {
  name: string;
  code?: string;
  /** Left out where it may quote what a person wrote. */
  message?: string;
  /** Places only. */
  stack?: string;
}

/**
 * An error for the log. The database's own texts and those of its query builder repeat the
 * values of the query they failed in: addresses, hashes, messages. Of these only name, code and
 * place are kept.
 */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = codeOf(error) ?? codeOf(error.cause);
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
  return {
    name: error.name,
    ...(code && { code }),
    ...(quotesValues(error) || quotesValues(error.cause) ? {} : { message: error.message }),
    ...(stack && { stack }),
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** drizzle's error carries its query, PostgreSQL's its severity. */
function quotesValues(error: unknown): boolean {
  return error instanceof Error && ('query' in error || 'severity' in error);
}
