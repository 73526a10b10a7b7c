/** The door of profiles for code that also runs in browsers: the fields that describe a member, and their limits. */

export { genders } from "#db/schema/enumerations.ts";
export {
  type MemberFields,
  mapMemberFields,
  memberFieldNames,
  memberFields,
  questionNames,
} from "./member-fields.ts";

export const maxFavoriteTitles = 10_000;
/** Pages show this many favorites at once, because a page with all of them would render for seconds. */
export const favoritesPerPage = 50;
export const maxFavoriteStudios = 500;
export const maxStudioLength = 200;
