/** The door of people on the server: who speaks, draws and directs in titles, and the characters of titles. */

export {
  type Cast,
  castOf,
  getCast,
  type NamedOne,
  type TitleCharacter,
} from "./cast.server.ts";
export { type CharacterPage, getCharacter } from "./character.server.ts";
export { type CreditedTitle, getPerson, type PersonPage } from "./person.server.ts";
export { searchNames } from "./search-names.server.ts";
export { listShownPeople } from "./shown-people.server.ts";
