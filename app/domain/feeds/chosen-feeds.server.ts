import { eq, isNotNull } from "drizzle-orm";
import { env } from "#app/platform/process/env.server.ts";
import type { FeedSetting } from "#app/platform/process/feed-settings.ts";
import { days } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { feeds } from "#db/schema/feeds.ts";

/** The feeds that the operator chose: those in CATALOG_FEEDS, and the full catalog if they pressed its button. */

export type Feed = FeedSetting & {
  name: string;
  /** True if the feed is not read again after a success. */
  isOnce: boolean;
  /** True if the operator chose the feed on a page and can give it up there. */
  isByButton: boolean;
};

const toFeed = (setting: FeedSetting, more: Pick<Feed, "isOnce" | "isByButton">): Feed => ({
  ...setting,
  ...more,
  name: `${setting.kind} ${setting.address}`,
});

const configuredFeeds: readonly Feed[] = env.CATALOG_FEEDS.map((feed) =>
  toFeed(feed, { isOnce: false, isByButton: false }),
);

const fullCatalog = { kind: "offline-database", address: env.FULL_CATALOG_URL } as const;
const fullCatalogName = `${fullCatalog.kind} ${fullCatalog.address}`;
const isFullCatalogConfigured = configuredFeeds.some(({ name }) => name === fullCatalogName);

export async function listChosenFeeds(): Promise<readonly Feed[]> {
  if (isFullCatalogConfigured) return configuredFeeds;
  const [row] = await db
    .select({ intervalMs: feeds.chosenIntervalMs })
    .from(feeds)
    .where(eq(feeds.name, fullCatalogName));
  const { intervalMs = null } = row ?? {};
  if (intervalMs === null) return configuredFeeds;
  const isOnce = intervalMs === 0;
  const setting = { ...fullCatalog, intervalMs: isOnce ? days(36_500) : intervalMs };
  return [...configuredFeeds, toFeed(setting, { isOnce, isByButton: true })];
}

export const isChosenFeed = async (name: string): Promise<boolean> =>
  (await listChosenFeeds()).some((feed) => feed.name === name);

/** The server that the button would send requests to. Null if the full catalog is a feed already. */
export async function findFullCatalogOffer(): Promise<{ host: string } | null> {
  return (await isChosenFeed(fullCatalogName)) ? null : { host: new URL(fullCatalog.address).host };
}

/** Adds the full catalog as a feed that is due now. */
export async function chooseFullCatalog({ isWeekly }: { isWeekly: boolean }): Promise<void> {
  const chosen = { chosenIntervalMs: isWeekly ? days(7) : 0, nextAt: new Date() };
  await db
    .insert(feeds)
    .values({ name: fullCatalogName, ...chosen })
    .onConflictDoUpdate({ target: feeds.name, set: chosen });
}

/** Imported titles stay. A running import notices this and stops. */
export async function giveUpFullCatalog(): Promise<void> {
  await db.update(feeds).set({ chosenIntervalMs: null }).where(isNotNull(feeds.chosenIntervalMs));
}
