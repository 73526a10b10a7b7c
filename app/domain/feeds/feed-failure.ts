/** Thrown if a feed cannot be read. The message is a sentence for the operator. */
export class FeedFailure extends Error {
  override name = "FeedFailure";
  /** The wait that the server asked for. */
  readonly waitMs: number;
  constructor(message: string, { waitMs = 0 } = {}) {
    super(message);
    this.waitMs = waitMs;
  }
}
