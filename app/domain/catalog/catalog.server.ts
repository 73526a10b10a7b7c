/** The front door of the catalog: what routes and other nouns may ask of it. */

export { currentStatus } from "./anime-row.server.ts";
export { getTitle, getVisibleTitle } from "./details.server.ts";
export { type EpisodePage, getEpisode, listEpisodes } from "./episodes.server.ts";
export { exportCatalog } from "./export.server.ts";
export { countWithoutEach, type DroppedFilter } from "./facets.server.ts";
export { listStudios, type Studio } from "./filters.server.ts";
export { type ImportOptions, type ImportReport, importRecords } from "./import/import.server.ts";
export { openSource, readRecords, Unreadable } from "./import/read-source.server.ts";
export {
  countTitles,
  findRandomTitle,
  type ListingQuery,
  listTitles,
  listTitlesById,
} from "./listing.server.ts";
export {
  episodeQuery,
  episodesQuery,
  filterQuery,
  listingQuery,
  repeatedNames,
  suggestQuery,
  titleQuery,
} from "./listing-query.server.ts";
export {
  type Airing,
  findShownSeason,
  listAirings,
  listSeason,
  listSeasons,
  type Programme,
  type SeasonCount,
} from "./programme.server.ts";
export { listSimilarTitles } from "./similar.server.ts";
export { suggestTitles } from "./suggestions.server.ts";
export { catalogVersion, changeCatalog, watchCatalog } from "./version.server.ts";
export {
  animeDetails,
  animeObject,
  animeOnWire,
  detailsOnWire,
  episodeObject,
  episodeOnWire,
  pageMeta,
  posterOnWire,
} from "./wire.server.ts";
