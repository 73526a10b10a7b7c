/** The door of feeds, which update the catalog automatically. */

export { findFullCatalogOffer, giveUpFullCatalog } from "./chosen-feeds.server.ts";
export { fetchFullCatalog, readFeedNow, startFeeds, stopFeeds } from "./feed-reader.server.ts";
export { type ListedFeed, listFeeds, makeAllDue } from "./feed-runs.server.ts";
export { readDueFeeds } from "./read-feed.server.ts";
export { importSentCatalog, type SentCatalogReport } from "./sent-catalog.server.ts";
export { isCatalogShared, mayFollowCatalog, shareCatalog } from "./share.server.ts";
