import { fail } from "#app/http/error-response.server.ts";

/** Every `/api/` address that no route answers, in the API's own words. */
export const loader = () => fail("not_found", "No such endpoint");
export const action = loader;
