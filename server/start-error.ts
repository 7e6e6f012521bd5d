/**
 * Why the server cannot start, or must stop: a reason its operator can act on.
 * The message is one whole line, without secrets; it is all that is printed.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
