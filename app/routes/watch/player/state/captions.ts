import { type RefObject, useEffect, useState } from "react";

/** Captions are the element's own text tracks; this says which there are and which one shows. */
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

/** Shows at first what was chosen last, then follows the element, whoever changes it. */
export function useCaptions(video: RefObject<HTMLVideoElement | null>, atFirst: string | null): Captions {
  const [captions, setCaptions] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first choice counts here
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    showCaptions(element, atFirst);
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

/** The controls take this much of the bottom; a line of captions is about so much of the film's height. */
const controlsPx = 96;
const lineShare = 0.06;
const lifted = new WeakSet<VTTCue>();

/** Keeps captions clear of the controls; a cue that says itself where it stands is left there. */
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
    // All of them, and early: a browser does not draw a cue again that moves in the moment it appears.
    const place = () => {
      const line = -Math.ceil(controlsPx / (element.clientHeight * lineShare)) - 1;
      for (const cue of track.cues ?? [])
        if (cue instanceof VTTCue && (cue.line === "auto" || lifted.has(cue))) {
          cue.line = isLifted ? line : "auto";
          lifted.add(cue);
        }
    };
    place();
    track.addEventListener("cuechange", place);
    element.addEventListener("load", place, true);
    return () => {
      track.removeEventListener("cuechange", place);
      element.removeEventListener("load", place, true);
    };
  }, [video, isLifted, shown]);
}
