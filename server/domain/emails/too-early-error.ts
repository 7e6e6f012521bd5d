/** An email must not be sent before an instant: its day has not come, or somebody may still object. */
export class TooEarlyError extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super('It is too early for this mail.');
    this.until = until;
  }
}
