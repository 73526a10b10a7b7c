import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { PlayerBitmaps, PlayerSubtitle } from "../state/playback.ts";
import { type Captions, noCaptions, SubtitleScreen } from "./subtitle-screen.ts";

/** The subtitles of the video element, and which of them are shown. */
export function useCaptions(
  video: RefObject<HTMLVideoElement | null>,
  { registered, bitmaps }: { registered: readonly PlayerSubtitle[]; bitmaps: readonly PlayerBitmaps[] },
  { isPlain, delay }: { isPlain: boolean; delay: number },
) {
  const [captions, setCaptions] = useState(noCaptions);
  const screen = useRef<SubtitleScreen | null>(null);
  const onChange = useCallback((found: Captions) => {
    // The same list stays the same array, so that only another list makes the player choose again.
    setCaptions(({ tracks }) => ({ ...found, tracks: isSame(tracks, found.tracks) ? tracks : found.tracks }));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next effect passes on a changed `isPlain`
  useEffect(() => {
    if (!video.current) return;
    const created = new SubtitleScreen(video.current, { registered, bitmaps, isPlain, onChange });
    screen.current = created;
    return () => {
      created.end();
      screen.current = null;
    };
  }, [video, registered, bitmaps]);
  useEffect(() => screen.current?.setPlain(isPlain), [isPlain]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen needs the delay too
  useEffect(() => screen.current?.setDelay(delay), [delay, video, registered, bitmaps]);
  const show = useCallback((key: string | null) => screen.current?.show(key), []);
  const lift = useCallback((share: number) => screen.current?.lift(share), []);
  return { captions, show, lift };
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
