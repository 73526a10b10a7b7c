import { malformedRequest } from "#app/access/jikan-errors.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { jikanMiddleware } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

/** An empty list instead would tell clients that a title has no reviews or no news. */
const answer = () => fail("not_found", "This is not in this catalog");

export const loader = Object.assign(answer, { sharing: withAnyone, ...malformedRequest });
export const action = loader;
