/** The reason why a feed could not be read, as a sentence for the operator. The catalog stays as it is. */
export class FeedFailure extends Error {
  override name = "FeedFailure";
  /** The wait that the server asked for. */
  readonly waitMs: number;
  constructor(message: string, { waitMs = 0 } = {}) {
    super(message);
    this.waitMs = waitMs;
  }
}
