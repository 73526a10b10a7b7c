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
export const maxFavoriteStudios = 500;
export const maxStudioLength = 200;
