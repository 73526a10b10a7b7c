import { genres } from "#app/domain/catalog/catalog.ts";
import type { CachedQuery } from "#app/http/pipeline/cached-pages.server.ts";
import { slugOfName } from "#app/wire/browse-choices.ts";

const names =
  "q genre without tag not-tag type status season year from to rating studio company source length score day banner watch mine sort page more add-tag add-not-tag";

/**
 * The query names of the browse page, in the order in which it writes them. The form sends each genre as a separate
 * field. Empty and repeated values stay, because the page redirects from them to its shorter address.
 */
export const browseQueryNames: CachedQuery = Object.fromEntries(
  [...names.split(" "), ...genres.map(slugOfName)].map((name) => [name, "all"]),
);
