interface DescribedError {
  name: string;
  code?: string;
  /** Absent if it may quote what a person wrote. */
  message?: string;
  /** Without the message. */
  stack?: string;
}

/**
 * An error for the log. Errors of the database and of drizzle contain the values of the query,
 * such as addresses and messages, so only their name, code and stack are logged.
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
