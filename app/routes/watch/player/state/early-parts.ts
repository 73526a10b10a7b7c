import type { TrackChoice } from "#app/domain/library/library.ts";
import { chooseTracks, noChoice } from "../tracks/track-choice.ts";
import { decodableUrl, firstAudible } from "./decoding.ts";
import {
  type Ability,
  canPlay,
  mimeType,
  type PlayerSource,
  resumeSeconds,
  sortByAbility,
} from "./playback.ts";
import { readResumePoint, readTrackChoice } from "./player-memory.ts";

/**
 * Loads the beginning of a packaged film while React takes control of the page. The player then requests the same
 * addresses and gets them from the browser's cache, because parts of films never change.
 */

/** The sources that came with the page. */
export const sourcesOfPage = (): PlayerSource[] =>
  [...document.querySelectorAll<HTMLSourceElement>(".player-film source")].map((element) => ({
    url: element.getAttribute("src") ?? "",
    type: element.type === mimeType({ type: "hls" }) ? "hls" : "file",
    label: null,
    language: null,
    ...(element.dataset.holds && { holds: JSON.parse(element.dataset.holds) }),
  }));

const filmOfPage = () => document.querySelector<HTMLElement>(".player-film")?.dataset ?? {};

/**
 * Whether the film starts at a resume point. The page has the resume point of a member; a visitor's is stored in the
 * browser.
 */
export function beginsInMiddle(): boolean {
  const { title, episode, start } = filmOfPage();
  const place = start === undefined ? readResumePoint(Number(title), Number(episode)) : Number(start);
  return resumeSeconds(place, Number.NaN) !== null;
}

/**
 * The sound language of the settings, and the sound chosen for the title. The page has the choice of a member; a
 * visitor's is stored in the browser.
 */
export function wishOfPage(): SoundWish {
  const { title, start, language = "original", sound = null } = filmOfPage();
  const isVisitor = start === undefined;
  return { soundLanguage: language, sound: isVisitor ? readTrackChoice(Number(title)).sound : sound };
}

type SoundWish = { soundLanguage: string; sound: TrackChoice["sound"] };

/**
 * The addresses that the player requests first, in the same order. Empty if the first source is not a packaged film, or
 * if the site has to convert the film: a conversion begins only when the player requests it. For a film that starts at
 * a resume point, only the playlists and the initialization segments.
 */
export function earlyParts(
  sources: readonly PlayerSource[],
  ability: Ability,
  { inMiddle, wish }: { inMiddle: boolean; wish: SoundWish },
): string[] {
  const [first] = sortByAbility(sources, ability);
  const isPackaged = first?.type === "hls" && first.url.startsWith("/play/");
  if (!isPackaged || !first.holds || !ability.feedsHls || !canPlay(first, ability)) return [];
  const main = decodableUrl(first.url, first.holds, ability.decodes);
  if (!/\/main(?:-a\d+)?\.m3u8$/.test(main)) return [];
  const sound = firstAudible(first.holds, ability.decodes);
  const number = sound && wishedAmong(first.holds.sounds.filter(hasCodecOf(sound)), sound, wish);
  const tracks = [first.holds.picture && "v", number && `a${number}`].filter((name) => name != null);
  const endings = [".m3u8", ".mp4", ...(inMiddle ? [] : ["-0.m4s"])];
  const names = endings.flatMap((ending) => tracks.map((name) => name + ending));
  return [main, ...names.map((name) => main.replace(/[^/]+$/, name))];
}

type Sound = NonNullable<PlayerSource["holds"]>["sounds"][number];

/** The player changes to a track with another codec only later. */
const hasCodecOf =
  (one: Sound) =>
  ({ codec }: Sound) =>
    codec?.split(".")[0] === one.codec?.split(".")[0];

function wishedAmong(sounds: readonly Sound[], first: Sound, { soundLanguage, sound }: SoundWish): number {
  const tracks = sounds.map(({ number, language }) => ({
    key: `${number}`,
    language,
    label: "",
    role: "main" as const,
    isDefault: number === first.number,
  }));
  const settings = { soundLanguage, subtitleLanguages: [] };
  const chosen = chooseTracks({ sounds: tracks, subtitles: [] }, settings, { ...noChoice, sound });
  return Number(chosen.sound ?? first.number);
}

/** Failures are ignored here: the player requests the part again and reports the reason. */
export function loadEarly(parts: readonly string[]) {
  for (const url of parts)
    fetch(url)
      .then((answer) => answer.blob())
      .catch(() => null);
}
