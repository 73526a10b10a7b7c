/** The door of names: the keys by which names are compared, searched and sorted, and how lists of names are read. */

export { readNames } from "./name-list.ts";
export { searchKey, sortKey, withoutSpaces, wordKey } from "./normalise.ts";
