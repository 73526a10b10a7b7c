import type { SharedFolders } from "#app/http/pipeline/route-table.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";

/** Folders of `public/` that other origins may use: the film that comes with the starter catalog. */
export const sharedFolders: SharedFolders = { "/film/": asOwnMedia };
