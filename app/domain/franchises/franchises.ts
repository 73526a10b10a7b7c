/** The door of franchises for code that also runs in browsers. */

export { franchiseMarks } from "#db/schema/enumerations.ts";
