import { href } from "react-router";
import { withQuery } from "#app/paths.ts";

/** The paths of the operators' pages. They are in their own file, because every page of the site loads paths.ts. */

type SetupStep = "videos" | "found" | "catalog" | "people" | "watch";
/** `at`: the folder whose subfolders the step lists. `select`: all matches are selected. */
export const adminSetupPath = (query: { step?: SetupStep; at?: string; select?: "all" } = {}) =>
  withQuery(href("/admin/setup"), query);
export const adminEpisodePath = (query: { id?: number; episode?: number } = {}) =>
  withQuery(href("/admin/episode"), query);
export const adminFilmsPath = (query: { select?: "all" } = {}) => withQuery(href("/admin/films"), query);
/** `from`: the page returns to the setup. Otherwise it returns to the media folder. */
export const adminFilmsDecidePath = (query: { film?: string; folder?: string; from?: "setup" | undefined }) =>
  withQuery(href("/admin/films/decide"), query);
export const adminHooksPath = () => href("/admin/films/programs");
export const adminCatalogFilePath = () => href("/admin/catalog-file");
export const adminWishesPath = () => href("/admin/wishes");
export const adminHiddenPath = () => href("/admin/hidden");
/** `same` searches for the title that replaces a local one, and `by` is the title chosen from the result. */
export const adminTitlePath = (query: { id?: number; same?: string; by?: number } = {}) =>
  withQuery(href("/admin/title"), query);
export const adminTitlePicturePath = (id: number) => withQuery(href("/admin/title/picture"), { id });
export const adminDetailsPath = () => href("/admin/details");
export const adminFeedsPath = () => href("/admin/feeds");
export const adminEventsPath = (query: { before?: string } = {}) => withQuery(href("/admin/events"), query);
export const adminInvitationsPath = () => href("/admin/invitations");
export const adminUsersPath = (query: { q?: string; after?: string } = {}) =>
  withQuery(href("/admin/users"), query);
