import type { Episode } from "#app/domain/catalog/catalog.ts";
import { sourceUrlOf } from "#app/domain/films/films.server.ts";
import { isMediaUrl } from "#app/domain/films/films.ts";
import {
  type ChildKey,
  isOwnServer,
  listSourcesWithHeaders,
  type SourceWithHeaders,
  videoProxyAccess,
} from "#app/domain/proxy/proxy.server.ts";
import { subtitleFormatOf, traitsOf } from "#app/media/subtitles/subtitle-names.ts";
import { captionsPath } from "#app/paths.ts";
import { withDistinctLabels } from "../offers/distinct-names.ts";
import type { EpisodeWithFilms, PlayableSubtitle } from "../offers/playable-episode.ts";
import { listBitmapFiles } from "../packaged/bitmap-files.server.ts";
import { readFilmFacts } from "./playable-episodes.server.ts";

/** Makes the URLs that players load for the sources and subtitles of an episode. */

const isWebUrl = (url: string) => /^https?:/i.test(url);

/**
 * http(s) URLs go through the video proxy, all others are paths of this site. `sourceId` is the source whose headers the
 * proxy sends.
 */
export function playableUrl(registered: string, sourceId?: string, child?: ChildKey): string {
  const url = sourceUrlOf(registered);
  return isWebUrl(url) ? videoProxyAccess.addressOf(url, sourceId, child) : url;
}

type PageOptions = { child: ChildKey | undefined; signal: AbortSignal };

/**
 * The episode with the URLs that the site's own player loads. Give them only to viewers who may watch. With `child`, they
 * are signed for this child's session.
 */
export async function readPlayableEpisode(
  episode: Episode,
  { child, signal }: PageOptions,
): Promise<EpisodeWithFilms> {
  const [withUrls, bitmaps] = await Promise.all([
    readUrls([episode], "own", (url, id) => playableUrl(url, id, child)),
    // Only the site's own player draws pictures.
    listBitmapFiles(
      episode.subtitles.filter(({ url }) => isMediaUrl(url)),
      signal,
    ),
  ]);
  const playable = withUrls(episode);
  return withDistinctLabels({ ...playable, bitmaps: [...bitmaps, ...playable.bitmaps] });
}

/**
 * Writes the episodes of one title for other players. They can load a registered URL themselves, but not send a source's
 * headers, so only the URLs that need those go through the video proxy. Give them only to viewers who may watch.
 */
export const readReferencedUrls = (episodes: readonly Episode[], child: ChildKey | undefined) =>
  readUrls(episodes, "other", (url, id) =>
    id === undefined && child === undefined ? url : playableUrl(url, id, child),
  );

async function readUrls(episodes: readonly Episode[], player: "own" | "other", write: WriteUrl) {
  const [known, films] = await Promise.all([listKnown(episodes), readFilmFacts(episodes)]);
  return (episode: Episode): EpisodeWithFilms => {
    const ofEpisode = known.filter((source) => source.episode === episode.number);
    const idOfSource = (url: string) => ofEpisode.find((source) => source.url === url)?.id;
    const idOfServer = (url: string) =>
      URL.canParse(url) ? ofEpisode.find((source) => isOwnServer(source.url, new URL(url)))?.id : undefined;
    const { sources, inside, fonts, ...facts } = films.withFilms(episode, player);
    return {
      ...episode,
      ...facts,
      sources: sources.flatMap((one) => {
        const url = isMediaUrl(one.url)
          ? films.fileUrlOf(episode.number, one.url)
          : write(one.url, idOfSource(one.url));
        return url === null ? [] : [{ ...one, url }];
      }),
      subtitles: [
        ...episode.subtitles.filter(isReadable).map((one) => ({
          ...registeredSubtitle(one, fonts),
          url: isFile(one.url) ? captionsPath(one.id, "vtt") : write(one.url, idOfServer(one.url)),
        })),
        ...inside,
      ],
    };
  };
}

function registeredSubtitle(
  { id, url, language, label }: Episode["subtitles"][number],
  fonts: string[],
): Omit<PlayableSubtitle, "url"> {
  const isDrawable = isFile(url) && subtitleFormatOf(url) === "ass";
  const drawn = isDrawable ? { url: captionsPath(id, "ass"), fonts } : null;
  return { language, label, ...traitsOf({ url, label }), drawn };
}

/**
 * A subtitle file of MEDIA_DIR in a format that the site reads. The site rewrites it, because its format or encoding
 * may be one that no browser reads.
 */
const isFile = (url: string) => isMediaUrl(url) && subtitleFormatOf(url) !== null;

/** A subtitle file of MEDIA_DIR in another format gets no address here, because players read no other text. */
const isReadable = ({ url }: { url: string }) => !isMediaUrl(url) || isFile(url);

type WriteUrl = (url: string, sourceId: string | undefined) => string;

async function listKnown(episodes: readonly Episode[]): Promise<SourceWithHeaders[]> {
  const remote = episodes.filter(({ sources }) => sources.some(({ url }) => isWebUrl(url)));
  const [first] = remote;
  if (!first) return [];
  return listSourcesWithHeaders(
    first.malId,
    remote.map(({ number }) => number),
  );
}

type Registered = { id: string; malId: number; episode: number; url: string };

export async function playableUrlOf({ id, malId, episode, url }: Registered): Promise<string> {
  const known = await listSourcesWithHeaders(malId, [episode]);
  return playableUrl(url, known.some((source) => source.id === id) ? id : undefined);
}
