import type { Episode } from "#app/domain/catalog/catalog.ts";
import { sourceUrlOf } from "#app/domain/films/films.server.ts";
import { isMediaUrl } from "#app/domain/films/films.ts";
import type { ChildKey } from "#app/domain/proxy/proxy.server.ts";
import {
  access,
  isOwnServer,
  listSourcesWithHeaders,
  type SourceWithHeaders,
} from "#app/domain/proxy/proxy.server.ts";
import { subtitleFormatOf, traitsOf } from "#app/media/subtitles/subtitle-names.ts";
import { captionsPath } from "#app/paths.ts";
import type { EpisodeWithFilms, PlayableSubtitle } from "../offers/playable-episode.ts";
import { readFilmFacts } from "./playable-episodes.server.ts";

/** Makes the URLs that players load for the sources and subtitles of an episode. */

const isWebUrl = (url: string) => /^https?:/i.test(url);

/**
 * http(s) URLs go through the video proxy, all others are paths of this site. `sourceId` is the source whose headers the
 * proxy sends.
 */
export function playableUrl(registered: string, sourceId?: string, child?: ChildKey): string {
  const url = sourceUrlOf(registered);
  return isWebUrl(url) ? access.addressOf(url, sourceId, child) : url;
}

type EpisodeUrls = {
  /** The episode with the URLs that the site's own player loads. */
  playable(episode: Episode): EpisodeWithFilms;
  /**
   * The episode for other players. They can load a registered URL themselves, but not send a source's headers, so only
   * the URLs that need those go through the video proxy.
   */
  referenced(episode: Episode): EpisodeWithFilms;
};

/**
 * All episodes must be of one title. Give the URLs only to viewers who may watch them. With `child`, they are signed
 * for this child's session.
 */
export async function readEpisodeUrls(episodes: readonly Episode[], child?: ChildKey): Promise<EpisodeUrls> {
  const [known, films] = await Promise.all([listKnown(episodes), readFilmFacts(episodes)]);
  const withUrls =
    (player: "own" | "other", write: WriteUrl) =>
    (episode: Episode): EpisodeWithFilms => {
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
  return {
    playable: withUrls("own", (url, id) => playableUrl(url, id, child)),
    referenced: withUrls("other", (url, id) =>
      id === undefined && child === undefined ? url : playableUrl(url, id, child),
    ),
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

/** A subtitle file of MEDIA_DIR in another format gets no address, because no player reads it. */
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
