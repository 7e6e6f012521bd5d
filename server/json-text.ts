/** An answer that is JSON already, of this shape: it is sent as it stands. */
export class JsonText<_Shape> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
