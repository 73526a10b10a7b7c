import { processesRunning } from "#tests/support/site/memory.ts";
import type { Site } from "#tests/support/site/site-process.ts";

/** The processes of the site that read films. */
export const readersOf = (site: Site) => processesRunning(site, /film-child\.js/);
/** The processes of the site that convert picture or sound. */
export const convertersOf = (site: Site) => processesRunning(site, /ffmpeg|sound-child\.js/);
