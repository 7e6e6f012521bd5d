/** An email must not be sent yet: its day has not come, an objection is still waited for, or only a newer version knows it. */
export class TooEarlyError extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super('It is too early for this mail.');
    this.until = until;
  }
}
