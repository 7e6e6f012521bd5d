/**
 * An email must not be sent yet: its day has not come, somebody may still object, or only a newer
 * version of the server can write it.
 */
export class TooEarlyError extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super('It is too early for this mail.');
    this.until = until;
  }
}
