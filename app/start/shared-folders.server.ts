import type { SharedFolders } from "#app/http/pipeline/route-table.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";

/** The folders of `public/` that other origins may use. `/film/` holds the film of the starter catalog. */
export const sharedFolders: SharedFolders = { "/film/": asOwnMedia };
