/**
 * `timed_out` and `failed`: the name servers gave no answer, so the name may exist. `busy`: no name server was queried.
 */
type Reason = "name_not_found" | "timed_out" | "failed" | "busy";

/** The look-up of a host name gave no address. */
export class LookupFailure extends Error {
  override name = "LookupFailure";
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(`the look-up of a host name ended with ${reason}`);
    this.reason = reason;
  }
}
