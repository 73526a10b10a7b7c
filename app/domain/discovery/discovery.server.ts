/** The door of discovery, which chooses the titles to show to a viewer. */

export { findNextAiring, findNextEpisode, statusWithNext } from "./airings.ts";
export { listContinueWatching } from "./continue-watching.server.ts";
export { getHome, type Home, type HomeRow } from "./home.server.ts";
export { continueOf, isNextMissing, listUpNext, type NextStep, type UpNext } from "./next-steps.server.ts";
export { findNextTitle } from "./next-title.server.ts";
export { type RankOf, readRanks } from "./ranks.server.ts";
export type { Recommendation } from "./recommendations.server.ts";
export { type Airing, listAirings } from "./schedule.server.ts";
export { listSimilarTitles, type SimilarTitle } from "./similar.server.ts";
export { listTasteChoices, listTitlePicks } from "./taste-choices.server.ts";
