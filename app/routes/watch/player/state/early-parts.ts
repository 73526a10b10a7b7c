import { chooseTracks, noChoice, type PlayerTrackChoice } from "../tracks/track-choice.ts";
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
 * The beginning of a packaged film is loaded while React takes control of the page. The browser's cache hands it to the player,
 * which asks for the same addresses: parts of films never change.
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

/** Whether the film of the page begins at the viewer's place: the site knows that of members, the browser of visitors. */
export function beginsInMiddle(): boolean {
  const { title, episode, start } = filmOfPage();
  const place = start === undefined ? readResumePoint(Number(title), Number(episode)) : Number(start);
  return resumeSeconds(place, Number.NaN) !== null;
}

/** The language of the sound that the settings name, and what was chosen for the title: the browser knows that of visitors. */
export function wishOfPage(): SoundWish {
  const { title, start, language = "original", sound = null } = filmOfPage();
  const isVisitor = start === undefined;
  return { soundLanguage: language, sound: isVisitor ? readTrackChoice(Number(title)).sound : sound };
}

type SoundWish = { soundLanguage: string; sound: PlayerTrackChoice["sound"] };

/**
 * What the player asks for first, in the order in which it asks. Empty if another kind of source comes first, or if the site
 * has to convert the film: a conversion begins when the player wants it. Of a film that begins in its middle, only what names
 * and describes its parts.
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

/** To a track with another codec, the player changes only later. */
const hasCodecOf =
  (one: Sound) =>
  ({ codec }: Sound) =>
    codec?.split(".")[0] === one.codec?.split(".")[0];

function wishedAmong(sounds: readonly Sound[], first: Sound, { soundLanguage, sound }: SoundWish): number {
  const tracks = sounds.map(({ number, language }) => ({
    ...{ key: `${number}`, language, label: "" },
    ...{ role: "main" as const, isDefault: number === first.number },
  }));
  const settings = { soundLanguage, subtitleLanguages: [] };
  const chosen = chooseTracks({ sounds: tracks, subtitles: [] }, settings, { ...noChoice, sound });
  return Number(chosen.sound ?? first.number);
}

/** The player asks again for what fails, and says why. */
export function loadEarly(parts: readonly string[]) {
  for (const url of parts)
    fetch(url)
      .then((answer) => answer.blob())
      .catch(() => null);
}
