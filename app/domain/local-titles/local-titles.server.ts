/**
 * The door of local titles: titles that exist only in this installation because no source has them yet.
 */

export { createLocalTitle } from "./create-local-title.server.ts";
export { replaceLocalTitlesByIds } from "./replace-by-ids.server.ts";
export { countMembersOf, replaceLocalTitle } from "./replace-local-title.server.ts";
export { giveFilmsLocalTitle } from "./title-of-films.server.ts";
