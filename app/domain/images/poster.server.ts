import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { failureMemory } from "./picture-failures.server.ts";
import { imageSpec } from "./image-spec.ts";
import { posterView } from "./poster/poster-view.ts";
import { getProxiedImage } from "./proxied-image.server.ts";
import type { PosterFacts } from "./render-job.ts";
import { render } from "./renderer.server.ts";
import { type CachedImage, cacheImage, findCachedImage, freshForMs } from "./result-cache.server.ts";
import type { PictureRequester } from "./source-picture.server.ts";

/**
 * `stand_in`: ours, where the title has a picture that could not be had just now. `sketch`: the view without its
 * title, as SVG, where there is no room to draw now: a page of posters has no holes, however busy we are.
 */
type PosterImage = Omit<CachedImage, "format"> & {
  format: CachedImage["format"] | "svg+xml";
  kind: "picture" | "drawn" | "stand_in" | "sketch";
  /** It depends on who asks. */
  isForOneViewer: boolean;
};

type Facts = PosterFacts & { picture: string | null; isMature: boolean };

const slow = seconds(2);
const pictureQuality = 75;
/** Raised when the drawing changes, so that kept posters are drawn anew. */
const drawingVersion = 3;

const failures = failureMemory();
const facts = new LRUCache<number, Facts>({ max: 5000, ttl: minutes(1) });
const given = counter("posters_total", "Posters given", ["kind"]);

type Wish = {
  widthPx: number;
  asker: PictureRequester;
  /** Asked for titles alone that parental control hides. */
  showsMature(): Promise<boolean>;
};

/**
 * A title's picture through the image cache, or one drawn by us when there is none, or none in time. Of a title that
 * this viewer may not see, neither the picture nor the name is told.
 */
export async function titlePoster(
  id: number,
  { widthPx, asker, showsMature }: Wish,
): Promise<Outcome<PosterImage>> {
  const found = await findFacts(id);
  if (found === null) return refuse("not_found", "No such title");
  const title = found.isMature && !(await showsMature()) ? nameless(id) : found;
  const picture = title.picture && (await inTime(title.picture, widthPx, asker));
  const poster = picture ? { ...picture, kind: "picture" as const } : await drawn(title, widthPx);
  given.inc({ kind: poster.kind });
  return done({ ...poster, isForOneViewer: found.isMature });
}

const nameless = (id: number): Facts => ({
  id,
  title: "",
  japanese: null,
  note: "",
  picture: null,
  isMature: false,
});

async function findFacts(id: number): Promise<Facts | null> {
  const known = facts.get(id);
  if (known) return known;
  try {
    const [row] = await db.select(columns).from(titles).where(eq(titles.malId, id));
    if (!row) return null;
    const { title, japanese, type, year, large, webp, other, isMature } = row;
    const note = [type, year].filter((part) => part !== null).join(" · ");
    const found: Facts = { id, title, japanese, note, picture: large ?? webp ?? other, isMature };
    facts.set(id, found);
    return found;
  } catch (error) {
    log.debug("a poster is drawn without its title", errorFields(error));
    return nameless(id);
  }
}

const columns = {
  title: titles.title,
  japanese: titles.titleJapanese,
  type: titles.type,
  year: titles.year,
  large: titles.imageLargeWebp,
  webp: titles.imageWebp,
  other: titles.imageUrl,
  isMature: titles.isMature,
};

/** Null: it cannot be had now. One that is merely slow goes on loading and is there the next time. */
async function inTime(
  picture: string,
  widthPx: number,
  asker: PictureRequester,
): Promise<CachedImage | null> {
  const address = URL.canParse(picture, asker.origin) ? new URL(picture, asker.origin) : null;
  const isOwnPoster = address && /^\/poster\//i.test(asker.ownPath(address) ?? "");
  if (!address || isOwnPoster) return null;
  // What one client may not reach, another may.
  const name = asker.mayReachLoopback ? `local ${picture}` : picture;
  if (failures.isHopeless(name, address.host)) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      failures.troubled(address.host);
      resolve(null);
    }, slow);
  });
  const loaded = await Promise.race([load(address, name, widthPx, asker), late]);
  clearTimeout(timer);
  return loaded;
}

/** Never rejects, since it may end when nobody waits for it any more. */
async function load(
  address: URL,
  name: string,
  widthPx: number,
  asker: PictureRequester,
): Promise<CachedImage | null> {
  try {
    const outcome = await getProxiedImage(address.href, imageSpec({ w: widthPx, q: pictureQuality }), asker);
    if (outcome.ok) {
      failures.succeeded(address.host);
      return outcome.value;
    }
    if (outcome.reason !== "overloaded") failures.failed(name);
    if (outcome.reason === "upstream_failed") failures.troubled(address.host);
  } catch (error) {
    log.warn("a title's picture could not be loaded", errorFields(error));
  }
  return null;
}

type Drawing = Omit<PosterImage, "isForOneViewer">;

async function drawn({ picture, isMature: _, ...title }: Facts, widthPx: number): Promise<Drawing> {
  const kind = picture === null && title.title !== "" ? "drawn" : "stand_in";
  const words = createHash("sha256").update(JSON.stringify(title)).digest("base64url").slice(0, 16);
  const key = `poster ${drawingVersion} ${title.id} ${words} w${widthPx}`;
  const kept = await findCachedImage(key);
  if (kept) return { ...kept, kind };
  const drawing = await render({ kind: "poster", facts: title, widthPx });
  if (!drawing.ok) return sketch(title.id, widthPx);
  const { bytes, format } = drawing;
  return { ...cacheImage(key, { bytes, format, reach: "own", freshForMs: freshForMs }), kind };
}

const sketch = (id: number, widthPx: number): Drawing => ({
  bytes: Buffer.from(posterView(id).svg(widthPx, 1)),
  format: "svg+xml",
  tag: `"sketch-${id}-${widthPx}"`,
  storedAt: Date.now(),
  reach: "own",
  freshForMs: 0,
  kind: "sketch",
});
