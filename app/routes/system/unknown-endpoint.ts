import { fail } from "#app/http/endpoint/error-response.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { withAnyone } from "#app/http/sharing.ts";

export const middleware = [unlimited("Answers 404 without a query")];

const answer = () => fail("not_found", "No such endpoint");

/** Answers every `/api/` path that no route matches, with an API error. */
export const loader = Object.assign(answer, { sharing: withAnyone });
export const action = loader;
