import { type RefObject, useEffect } from "react";
import { textTracksOf } from "./subtitle-screen.ts";
import type { Tracks } from "./use-tracks.ts";

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
  { captions, liftCaptions }: Pick<Tracks, "captions" | "liftCaptions">,
) {
  const shown = captions.isDrawn ? null : captions.shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another track is drawn
  useEffect(() => {
    const height = video.current?.clientHeight ?? 0;
    liftCaptions(isLifted && height > 0 ? Math.min(0.5, controlsPx / height) : 0);
  }, [video, isLifted, liftCaptions, captions.isDrawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another track is shown
  useEffect(() => {
    const element = video.current;
    const track = element && textTracksOf(element).find(({ mode }) => mode === "showing");
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
