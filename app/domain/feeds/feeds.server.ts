/** The front door of the feeds: what renews the catalog by itself. */

export { readFeedNow, startFeeds, stopFeeds } from "./feed-reader.server.ts";
export { type ListedFeed, listFeeds, makeAllDue } from "./feed-runs.server.ts";
export { readDueFeeds } from "./read-feed.server.ts";
