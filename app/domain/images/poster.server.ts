import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { onCatalogChange } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import {
  anybody,
  isTitleVisible,
  unrestricted,
  type Viewer,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titleRecords, titles } from "#db/schema/catalog.ts";
import { franchiseTitles } from "#db/schema/franchises.ts";
import { type ImageSpec, imageSpec, type PosterFormat } from "./image-spec.ts";
import { pictureFailures } from "./picture-failures.server.ts";
import { pictureFilePath } from "./poster/picture-files.server.ts";
import { type PosterLook, posterView } from "./poster/poster-view.ts";
import { getPosterPicture } from "./proxied-image.server.ts";
import type { PosterFacts, RenderJob } from "./render-job.ts";
import { render } from "./renderer.server.ts";
import { type CachedImage, cacheImage, findCachedImage, freshForMs } from "./result-cache.server.ts";
import type { PictureRequester } from "./source-picture.server.ts";

/**
 * `picture`: the title's own picture. `drawn`: drawn, because the title has no picture. `stand_in`: the cover from the
 * title's details, or drawn, because the picture could not be loaded. `sketch`: an SVG without the title's name, served
 * when the render queue is full so that pages have no missing posters under load.
 */
type PosterImage = Omit<CachedImage, "format"> & {
  format: CachedImage["format"] | "svg+xml";
  kind: "picture" | "drawn" | "stand_in" | "sketch";
  /** True if the response depends on the viewer, so it must not be cached for others. */
  isForOneViewer: boolean;
};

type Facts = PosterFacts & {
  english: string | null;
  picture: string | null;
  /** The stored cover from the title's details, for a picture that cannot be loaded. */
  cover: string | null;
  isForAnybody: boolean;
};

const maxPictureWaitMs = seconds(2);
const pictureQuality = 75;
/** Part of the cache key. Raise it when the drawing changes; otherwise cached posters keep the old look. */
const drawingVersion = 6;

const facts = createSparseLru<number, Facts>({ max: 5000, ttl: minutes(1) });
let changes = 0;
// An operator may have hidden a title, and its poster must disappear at once.
onCatalogChange(() => {
  changes++;
  facts.clear();
});
const noSuchTitle = "No such title";
const postersServed = counter("posters_total", "Posters served", ["kind"]);

type PosterRequester = PictureRequester & { signal: AbortSignal };

type PosterRequest = {
  widthPx: number;
  format: PosterFormat;
  /** The language of the name on a drawn poster; undefined for the catalog's own name. */
  lang: "en" | undefined;
  /**
   * The viewer's language. Called if a picture cannot be loaded and the address names no language. That happens on the
   * first page that shows the title. Once the failure is known, pages put the language into the address.
   */
  viewerLang(): Promise<"en" | undefined>;
  requester: PosterRequester;
  /** Called for titles that not everybody may see, and for every title if `maySeeLess`. */
  viewer(): Promise<Viewer>;
  maySeeLess: boolean;
};

/**
 * Returns the title's picture from the image cache, or draws a poster if there is no picture or it takes too long. If
 * this viewer may not see the title, the drawn poster shows neither its picture nor its name. A local title that this
 * viewer may not see has no poster.
 */
export async function titlePoster(
  id: number,
  { widthPx, format, lang, viewerLang, requester, viewer, maySeeLess }: PosterRequest,
): Promise<Outcome<PosterImage>> {
  const titleFacts = await findFacts(id);
  if (titleFacts === null) return refuse("not_found", noSuchTitle);
  const isForAnybody = titleFacts.isForAnybody && !maySeeLess;
  const isShown = isForAnybody || (await isTitleVisible(id, await viewer()));
  // A drawn poster would tell visitors how many local titles there are, because their numbers follow one another.
  if (!isShown && id >= firstLocalMalId) return refuse("not_found", noSuchTitle);
  const title = isShown ? titleFacts : factsWithoutName(id);
  const spec = imageSpec({ w: widthPx, q: pictureQuality, format });
  const picture = await findPicture(title, spec, requester);
  const isFailed = title.picture !== null && !picture;
  const ownLang = isFailed && lang === undefined && title.english !== null ? await viewerLang() : undefined;
  const poster =
    picture ?? (await findOrDrawPoster(title, { widthPx, format, lang: lang ?? ownLang }, requester));
  if (!poster) return refuse("overloaded");
  postersServed.inc({ kind: poster.kind });
  return done({ ...poster, isForOneViewer: !isForAnybody || ownLang !== undefined });
}

export type TitlePictures = {
  imageLargeWebp: string | null;
  imageWebp: string | null;
  imageUrl: string | null;
};

const pictureOf = ({ imageLargeWebp, imageWebp, imageUrl }: TitlePictures) =>
  imageLargeWebp ?? imageWebp ?? imageUrl;

/** True if the title has no picture, or one that recently could not be loaded. */
export function isPosterDrawn(title: TitlePictures): boolean {
  const picture = pictureOf(title);
  if (picture === null) return true;
  const host = URL.canParse(picture) ? new URL(picture).host : undefined;
  return pictureFailures.isKnown(picture, host) || pictureFailures.isKnown(localKeyOf(picture), host);
}

/** A failure for a client without access to loopback must not affect clients that have it. */
const localKeyOf = (picture: string) => `local ${picture}`;

const factsWithoutName = (id: number): Facts => ({
  id,
  title: "",
  english: null,
  japanese: null,
  note: "",
  franchise: null,
  part: 1,
  tags: [],
  picture: null,
  cover: null,
  isForAnybody: true,
});

async function findFacts(id: number): Promise<Facts | null> {
  const known = facts.get(id);
  if (known) return known;
  try {
    const since = changes;
    const [row] = await db
      .select(columns)
      .from(titles)
      .leftJoin(franchiseTitles, eq(franchiseTitles.malId, titles.malId))
      .where(and(eq(titles.malId, id), visibleTo(unrestricted)));
    if (!row) return null;
    const { title, english, japanese, type, year, franchise, part, tags, cover, isForAnybody } = row;
    const note = [type, year].filter((word) => word !== null).join(" · ");
    const titleFacts: Facts = {
      id,
      title,
      english,
      japanese,
      note,
      franchise,
      part: part ?? 1,
      tags,
      picture: pictureOf(row),
      cover,
      isForAnybody,
    };
    if (since === changes) facts.set(id, titleFacts);
    return titleFacts;
  } catch (error) {
    log.debug("drew a poster without the title, because the database could not be read", errorFields(error));
    return factsWithoutName(id);
  }
}

/** The first title of the main line decides for its whole franchise what is drawn. */
const tags = sql<string[]>`coalesce((
  select first.themes || first.genres from ${franchiseTitles} place join ${titles} first using (mal_id)
  where place.franchise_id = ${franchiseTitles.franchiseId} and ${visibleTo(anybody, "first")}
  order by place.mark <> 'main', place.released limit 1
), ${titles.themes} || ${titles.genres})`;

const cover = sql<string | null>`(
  select fields ->> 'imageUrl' from ${titleRecords} where mal_id = ${titles.malId} and source = 'anilist'
)`;

const columns = {
  title: titles.title,
  english: titles.titleEnglish,
  japanese: titles.titleJapanese,
  type: titles.type,
  year: titles.year,
  franchise: franchiseTitles.franchiseId,
  part: franchiseTitles.released,
  tags,
  imageLargeWebp: titles.imageLargeWebp,
  imageWebp: titles.imageWebp,
  imageUrl: titles.imageUrl,
  cover,
  isForAnybody: visibleTo(anybody),
};

async function findPicture(
  { picture, cover }: Facts,
  spec: ImageSpec,
  requester: PictureRequester,
): Promise<Drawing | null> {
  if (picture === null) return null;
  const ownPicture = await findPictureInTime(picture, spec, requester);
  if (ownPicture) return { ...ownPicture, kind: "picture" };
  const other = cover === null || cover === picture ? null : await findPictureInTime(cover, spec, requester);
  return other && { ...other, kind: "stand_in" };
}

/**
 * Null if the picture fails or takes too long. A slow picture continues to load, so that the next request finds it in
 * the cache.
 */
async function findPictureInTime(
  picture: string,
  spec: ImageSpec,
  requester: PictureRequester,
): Promise<CachedImage | null> {
  const address = pictureFilePath(picture) ?? picture;
  const url = URL.canParse(address, requester.origin) ? new URL(address, requester.origin) : null;
  const isOwnPoster = url && /^\/poster\//i.test(requester.ownPath(url) ?? "");
  if (!url || isOwnPoster) return null;
  const key = requester.mayReachLoopback ? localKeyOf(picture) : picture;
  if (pictureFailures.shouldSkip(key, url.host)) return null;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      pictureFailures.recordHostFailure(url.host);
      resolve(null);
    }, maxPictureWaitMs);
  });
  const loaded = await Promise.race([load(url, key, spec, requester), timeout]);
  clearTimeout(timer);
  return loaded;
}

/** Never rejects: it may end after the request that started it, when nothing would handle the rejection. */
async function load(
  url: URL,
  key: string,
  spec: ImageSpec,
  requester: PictureRequester,
): Promise<CachedImage | null> {
  try {
    // The client's abort signal is not passed on, so the next request for this poster finds the picture in the cache.
    const outcome = await getPosterPicture(url, spec, requester);
    if (outcome.ok) {
      pictureFailures.recordHostSuccess(url.host);
      return outcome.value;
    }
    if (outcome.reason !== "overloaded") pictureFailures.recordPictureFailure(key);
    if (outcome.reason === "upstream_failed") pictureFailures.recordHostFailure(url.host);
  } catch (error) {
    log.warn("could not load a title's picture", errorFields(error));
  }
  return null;
}

type Drawing = Omit<PosterImage, "isForOneViewer">;

/** Null if the renderers are busy and the client wants JPEG: a sketch replaces only WebP. */
async function findOrDrawPoster(
  { picture, cover: _cover, isForAnybody: _, english, ...own }: Facts,
  { widthPx, format, lang }: Pick<PosterRequest, "widthPx" | "format" | "lang">,
  requester: PosterRequester,
): Promise<Drawing | null> {
  const title = { ...own, title: (lang === "en" && english?.trim()) || own.title };
  const kind = picture === null && title.title !== "" ? "drawn" : "stand_in";
  const factsHash = createHash("sha256").update(JSON.stringify(title)).digest("base64url").slice(0, 16);
  const key = `poster ${drawingVersion} ${title.id} ${factsHash} w${widthPx} ${format}`;
  const cached = await findCachedImage(key);
  if (cached) return { ...cached, kind };
  const drawing = await draw(key, { kind: "poster", facts: title, widthPx, format }, requester);
  if (drawing !== null && drawing !== "overloaded") return { ...drawing, kind };
  return format === "webp" ? sketch(title, factsHash, widthPx) : null;
}

const drawings = createSharedWork<CachedImage | "overloaded" | null>((drawing) => drawing === "overloaded");

/** `overloaded` if the render queue is full or this client has used up its time; null if the drawing failed. */
const draw = (key: string, job: RenderJob, { client, signal }: PosterRequester) =>
  drawings(key, signal, async (leaving) => {
    const drawing = await render(job, Buffer.alloc(0), { client, isForPoster: true, signal: leaving });
    if (!drawing.ok) return drawing.failure === "overloaded" ? "overloaded" : null;
    const { bytes, format } = drawing;
    return cacheImage(key, { bytes, format, reach: "own", freshForMs });
  });

const sketch = (look: PosterLook, factsHash: string, widthPx: number): Drawing => ({
  bytes: Buffer.from(posterView(look).svg(widthPx, 1)),
  format: "svg+xml",
  tag: `"sketch-${drawingVersion}-${look.id}-${factsHash}-${widthPx}"`,
  storedAt: Date.now(),
  reach: "own",
  freshForMs: 0,
  kind: "sketch",
});
