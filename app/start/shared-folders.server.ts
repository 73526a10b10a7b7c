import type { SharedFolders } from "#app/http/pipeline/route-table.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";
import { filmPath } from "#app/paths.ts";

/** The folders of `public/` that other origins may use: the films of the starter catalog, one folder for each episode. */
export const sharedFolders: SharedFolders = Object.fromEntries(
  ["1", "2", "3"].map((episode) => [`${filmPath(episode)}/`, asOwnMedia]),
);
