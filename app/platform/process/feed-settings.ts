import { z } from "zod";
import { days, hours, minutes } from "../units.ts";
import { commaList, oneOf, optional, url, variable } from "./variable-values.ts";

/**
 * Parses CATALOG_FEEDS, `KIND INTERVAL ADDRESS`, and CATALOG_FEED_TOKENS, `HOST TOKEN`. Entries are separated by
 * commas.
 */

const feedKinds = ["offline-database", "jikan", "engawa"] as const;

export type FeedSetting = {
  kind: (typeof feedKinds)[number];
  intervalMs: number;
  /** A URL, or the path of a file of the offline database. */
  address: string;
};

const minIntervalMs = minutes(1);
const maxIntervalMs = days(366);
const unitMs: Record<string, (count: number) => number> = { m: minutes, h: hours, d: days };

const form =
  "must be KIND INTERVAL ADDRESS, such as: offline-database 7d https://example.org/catalog.json.zst";

export const feedSettings = commaList.transform((items, context) => {
  const feeds: FeedSetting[] = [];
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  for (const item of items) {
    const feed = parseFeed(item);
    if (typeof feed === "string") return refuse(feed);
    if (feeds.some(({ kind, address }) => kind === feed.kind && address === feed.address))
      return refuse("names the same address twice");
    // The catalog stores one record of the source "another Engawa" for each title. Two such feeds would overwrite each
    // other's records.
    if (feed.kind === "engawa" && feeds.some(({ kind }) => kind === "engawa"))
      return refuse("names two feeds of the kind engawa, and a catalog can follow only one");
    feeds.push(feed);
  }
  return feeds;
});

function parseFeed(item: string): FeedSetting | string {
  const [kind = "", interval = "", address = "", ...rest] = item.split(/\s+/);
  if (address === "" || rest.length > 0) return form;
  const known = feedKinds.find((one) => one === kind);
  if (known === undefined) return `the kind must be ${feedKinds.join(", ")}`;
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(interval) ?? [];
  const intervalMs = unitMs[unit]?.(Number(count)) ?? 0;
  if (intervalMs < minIntervalMs || intervalMs > maxIntervalMs)
    return "the interval must be a number of minutes, hours or days from 1m to 366d, such as 12h";
  const isFile = address.startsWith("/") && known === "offline-database";
  if (!isFile && !isUrl(address))
    return `the address must begin with http:// or https://${known === "offline-database" ? " or / (a file)" : ""}`;
  return { kind: known, intervalMs, address };
}

function isUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** The tokens by host, for hosts that require one. A host is written as in the address, with its port. */
export const feedTokens = commaList.transform((items, context) => {
  const tokens = new Map<string, string>();
  for (const item of items) {
    const [, host, token] = /^([\w.:[\]-]+)\s+([!-~]+)$/.exec(item) ?? [];
    if (host === undefined || token === undefined) {
      context.addIssue({ code: "custom", message: "must be HOST TOKEN, such as: anime.example.org k3J9…" });
      return z.NEVER;
    }
    tokens.set(host.toLowerCase(), token);
  }
  return tokens;
});

/** The variables of the feeds and of sharing the catalog. */
export const feedVariables = {
  CATALOG_FEEDS: variable(feedSettings, "Feeds of the catalog, each KIND INTERVAL ADDRESS", { default: "" }),
  CATALOG_FEED_TOKENS: variable(
    feedTokens,
    "Tokens of other Engawas that CATALOG_FEEDS names, each HOST TOKEN",
    {
      default: "",
      secret: true,
    },
  ),
  FULL_CATALOG_URL: variable(
    url("http"),
    "File of the offline database that an operator can fetch by a button",
    {
      default:
        "https://github.com/cedya77/anime-offline-database/releases/download/latest/anime-offline-database-minified.json.zst",
    },
  ),
  CATALOG_SHARE: variable(
    oneOf("off", "token", "public"),
    "Who may follow the catalog at /api/catalog/changes: off, token or public",
    { default: "off" },
  ),
  CATALOG_SHARE_TOKEN: optional(
    commaList.refine(
      (tokens) => tokens.length > 0 && tokens.every((token) => token.length >= 20),
      "needs at least 20 characters in each token",
    ),
    "Tokens with which others may follow the catalog if CATALOG_SHARE=token, separated by commas",
    { secret: true },
  ),
};
