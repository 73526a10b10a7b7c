import type { RenderFailure } from "./render-job.ts";

export class CannotRender extends Error {
  override name = "CannotRender";
  readonly failure: RenderFailure;
  constructor(failure: RenderFailure) {
    super(failure);
    this.failure = failure;
  }
}
