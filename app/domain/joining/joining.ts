import type { Env } from "#app/platform/process/env.server.ts";

/** The door of joining for code that does not ask the database. */

/** How an operator keeps strangers from signing up, for the end of a sentence. SIGNUPS locks the choice on the page Setup. */
export const closeSignUpText = ({ SIGNUPS }: { SIGNUPS?: Env["SIGNUPS"] }): string =>
  SIGNUPS === undefined
    ? "choose on the page Setup who may join"
    : "change or remove the variable SIGNUPS, and start the site again";
