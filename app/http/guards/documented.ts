import type { MiddlewareFunction } from "react-router";

/** The part of a guard that the OpenAPI document of its routes mentions. */
export type GuardFacts = {
  /** Requests without a session get 401. */
  isRequired?: true;
  /** An access token is as good as a session. */
  takesToken?: true;
  /** The requests that may get 403. */
  forbids?: "writes" | "everything";
};

export const documented = (guardFacts: GuardFacts, guard: MiddlewareFunction<Response>) =>
  Object.assign(guard, { guardFacts });
