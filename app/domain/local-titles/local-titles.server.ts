/** The front door of local titles: titles of this installation that no source knows yet. */

export { createLocalTitle } from "./create-local-title.server.ts";
export { becomeKnownTitles } from "./known-titles.server.ts";
export { countMembersOf, replaceLocalTitle } from "./replace-local-title.server.ts";
export { giveFilmsLocalTitle } from "./title-of-films.server.ts";
