/** The door of people for code that also runs in browsers. */

export { characterRoles } from "#db/schema/enumerations.ts";
export { japaneseFirst } from "./japanese-first.ts";
