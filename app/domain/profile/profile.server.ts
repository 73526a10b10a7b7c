/** The door of profiles on the server: what members say of themselves, and their favorites. */

export {
  addFavorite,
  type FavoriteMove,
  isFavorite,
  moveFavorite,
  removeFavorite,
  tooManyFavoritesRefusal,
} from "./favorites.server.ts";
export {
  editProfile,
  getProfile,
  hasTastes,
  moveInProfiles,
  type Profile,
  type ProfileChange,
  updateProfile,
} from "./member-profile.server.ts";
