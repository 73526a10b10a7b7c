import { fail } from "#app/http/endpoint/error-response.server.ts";
import { withAnyone } from "#app/http/sharing.ts";

const answer = () => fail("not_found", "No such endpoint");

/** Every `/api/` address that no route answers, in the API's own words. */
export const loader = Object.assign(answer, { sharing: withAnyone });
export const action = loader;
