import { type RefObject, useEffect, useState } from "react";

/** The caption tracks of the video element, and the language that is shown. */
export type Captions = { languages: readonly { language: string; label: string }[]; shown: string | null };

const none: Captions = { languages: [], shown: null };

const tracksOf = (video: HTMLVideoElement) =>
  [...video.textTracks].filter(({ kind }) => kind === "captions" || kind === "subtitles");

export const captionsOf = (video: HTMLVideoElement): Captions => ({
  languages: tracksOf(video).map(({ language, label }) => ({ language, label: label || language })),
  shown: tracksOf(video).find(({ mode }) => mode === "showing")?.language ?? null,
});

export function showCaptions(video: HTMLVideoElement, language: string | null) {
  let isShown = false;
  for (const track of tracksOf(video)) {
    const isWanted: boolean = !isShown && language !== null && track.language === language;
    track.mode = isWanted ? "showing" : "disabled";
    isShown ||= isWanted;
  }
}

/** Shows the language that was chosen last, then follows the element, whose tracks the browser may change too. */
export function useCaptions(
  video: RefObject<HTMLVideoElement | null>,
  initialLanguage: string | null,
): Captions {
  const [captions, setCaptions] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first value counts
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    showCaptions(element, initialLanguage);
    const read = () => setCaptions(captionsOf(element));
    read();
    const list = element.textTracks;
    for (const event of ["change", "addtrack", "removetrack"]) list.addEventListener(event, read);
    return () => {
      for (const event of ["change", "addtrack", "removetrack"]) list.removeEventListener(event, read);
    };
  }, [video]);
  return captions;
}

/** The height of the controls, and the height of a line of captions as a share of the film's. */
const controlsPx = 96;
const lineShare = 0.06;
const lifted = new WeakSet<VTTCue>();

/** Captions that are turned on in the middle of a cue would otherwise stay behind the controls. */
function redraw(track: TextTrack) {
  track.mode = "hidden";
  track.mode = "showing";
}

/** Moves captions above the controls, except cues that set their own position. */
export function useLiftedCaptions(
  video: RefObject<HTMLVideoElement | null>,
  isLifted: boolean,
  shown: string | null,
) {
  useEffect(() => {
    const element = video.current;
    const track =
      element && tracksOf(element).find(({ language, mode }) => mode === "showing" && language === shown);
    if (!track) return;
    // Moves all cues before they appear, since a browser does not move a cue that it shows.
    const moveCues = () => {
      const line = -Math.ceil(controlsPx / (element.clientHeight * lineShare)) - 1;
      const wanted = isLifted ? line : "auto";
      let isShownCueMoved = false;
      for (const cue of track.cues ?? [])
        if (cue instanceof VTTCue && (cue.line === "auto" || lifted.has(cue))) {
          isShownCueMoved ||= cue.line !== wanted && [...(track.activeCues ?? [])].includes(cue);
          cue.line = wanted;
          lifted.add(cue);
        }
      if (isShownCueMoved) redraw(track);
    };
    moveCues();
    track.addEventListener("cuechange", moveCues);
    element.addEventListener("load", moveCues, true);
    return () => {
      track.removeEventListener("cuechange", moveCues);
      element.removeEventListener("load", moveCues, true);
    };
  }, [video, isLifted, shown]);
}
