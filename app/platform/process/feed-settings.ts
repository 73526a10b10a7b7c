import { z } from "zod";
import { days, hours, minutes } from "../units.ts";

/** Parses CATALOG_FEEDS: `KIND INTERVAL ADDRESS`, separated by commas. */

const feedKinds = ["offline-database"] as const;

export type FeedSetting = {
  kind: (typeof feedKinds)[number];
  intervalMs: number;
  /** A URL or the path of a file. */
  address: string;
};

const minIntervalMs = minutes(1);
const maxIntervalMs = days(366);
const unitMs: Record<string, (count: number) => number> = { m: minutes, h: hours, d: days };

const form =
  "must be KIND INTERVAL ADDRESS, such as: offline-database 7d https://example.org/catalog.json.zst";

export const feedSettings = z.string().transform((text, context) => {
  const feeds: FeedSetting[] = [];
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  for (const item of text.split(",").map((part) => part.trim())) {
    if (item === "") continue;
    const feed = parseFeed(item);
    if (typeof feed === "string") return refuse(feed);
    if (feeds.some(({ kind, address }) => kind === feed.kind && address === feed.address))
      return refuse("names the same address twice");
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
  if (!isAddress(address)) return "the address must begin with http://, https:// or / (a file)";
  return { kind: known, intervalMs, address };
}

function isAddress(text: string) {
  if (text.startsWith("/")) return true;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
