import { type RefObject, useEffect } from "react";
import { textTracksOf } from "./subtitle-screen.ts";
import type { Tracks } from "./use-tracks.ts";

/** The height of a caption line as a share of the film's height. The lines of larger captions are higher still. */
const lineShares = { small: 0.046, others: 0.058 };

const lineShareOf = (video: HTMLVideoElement) =>
  video.parentElement?.dataset.captionSize === "small" ? lineShares.small : lineShares.others;

/** The height of the controls with their shade, without the settings that open above them. */
function controlsHeightPx(video: HTMLVideoElement): number {
  const controls = video.parentElement?.querySelector<HTMLElement>(".player-controls");
  const bar = controls?.querySelector<HTMLElement>(".player-seek");
  if (!controls || !bar) return 0;
  // Uses layout sizes. The visible position changes while the controls slide in.
  return controls.offsetHeight - bar.offsetTop + Number.parseFloat(getComputedStyle(controls).paddingTop);
}

const linesOf = ({ text }: VTTCue) => text.split("\n").length;
const lifted = new WeakSet<VTTCue>();

/**
 * Makes the browser draw the current cue again. Captions turned on in the middle of a cue would otherwise stay behind
 * the controls.
 */
function redraw(track: TextTrack) {
  track.mode = "hidden";
  track.mode = "showing";
}

/** Moves captions above the controls, except cues that set their own position. */
export function useLiftedCaptions(
  video: RefObject<HTMLVideoElement | null>,
  isLifted: boolean,
  { captions, liftCaptions }: Pick<Tracks, "captions" | "liftCaptions">,
) {
  const shown = captions.isDrawn ? null : captions.shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another track is drawn
  useEffect(() => {
    const element = video.current;
    const height = element?.clientHeight ?? 0;
    liftCaptions(isLifted && element && height > 0 ? Math.min(0.5, controlsHeightPx(element) / height) : 0);
  }, [video, isLifted, liftCaptions, captions.isDrawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another track is shown
  useEffect(() => {
    const element = video.current;
    const track = element && textTracksOf(element).find(({ mode }) => mode === "showing");
    if (!track) return;
    // Moves all cues before they appear, since a browser does not move a cue that it shows.
    const moveCues = () => {
      const covered = Math.ceil(controlsHeightPx(element) / (element.clientHeight * lineShareOf(element)));
      let isShownCueMoved = false;
      for (const cue of track.cues ?? [])
        if (cue instanceof VTTCue && (cue.line === "auto" || lifted.has(cue))) {
          // A negative line counts from the bottom and is the cue's first line.
          const wanted = isLifted ? -covered - linesOf(cue) : "auto";
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
