/** The door of the catalog on the server: titles, episodes, seasons and search results. */

export { currentStatus, isAnnounced, isOnAir, isOnAirAt, mayHaveEpisode } from "./catalog-rows.server.ts";
export { getEpisode, listEpisodes, pageOfEpisode } from "./episodes.server.ts";
export { listStudios, readStudioNames } from "./filters.server.ts";
export {
  countTitles,
  findRandomTitle,
  getTitlesById,
  type ListingQuery,
  listGenresWithTitles,
  listSharedTitles,
  listShownIds,
  listTitlePageById,
  listTitles,
  listTitlesById,
  maxPerPage,
  suggestTitles,
} from "./listing.server.ts";
export {
  listAnnouncedTitles,
  listSeriesWithoutSlot,
  listTitlesWithSlot,
  type TitleOnAir,
} from "./on-air.server.ts";
export { listRelations } from "./relations.server.ts";
export { isShort } from "./search/containing.server.ts";
export { indexKey } from "./search/index-key.ts";
export { findStudiosNamed } from "./search/named-studios.server.ts";
export {
  findTitlesHolding,
  findTitlesNamed,
  findTitlesWithIds,
  type IdentifiedTitle,
  listNamesOf,
  type NamedTitle,
} from "./search/named-titles.server.ts";
export { listSeasons, seasonOfTitle } from "./seasons.server.ts";
export { getSharedTitle } from "./shared-title.server.ts";
export { findCompany, listCompanies } from "./tags/companies.server.ts";
export { tagFacts } from "./tags/tag-facts.ts";
export {
  type CountedTag,
  joinedTags,
  listCountedTags,
  readTagNumbers,
  type TagNumberOf,
} from "./tags/tag-index.server.ts";
export { type AnnouncedEpisode, listExtras, type TitleExtras } from "./title-extras.server.ts";
export {
  countEpisodes,
  findBarrier,
  getTitle,
  getTitleNames,
  getVisibleTitle,
} from "./visible-title.server.ts";
