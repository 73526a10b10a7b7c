import { genres } from "#app/domain/catalog/catalog.ts";
import type { KeptQuery } from "#app/http/pipeline/kept-pages.server.ts";
import { slugOfName } from "#app/ui/browse-choices.ts";

const names =
  "q genre without tag not-tag type status season year from to rating studio company source length score day banner watch mine sort page more add-tag add-not-tag";

/**
 * What the browse page reads of its address, in the order in which it writes it. The form sends each genre as a field of
 * its own. Empty and repeated values stay, as the page itself leads from them to its shorter address. Only the server reads it.
 */
export const browseQueryNames: KeptQuery = import.meta.env.SSR
  ? Object.fromEntries([...names.split(" "), ...genres.map(slugOfName)].map((name) => [name, "all"]))
  : {};
