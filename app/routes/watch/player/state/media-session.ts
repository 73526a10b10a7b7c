import { type RefObject, useEffect } from "react";

type Session = {
  title: string;
  series: string;
  artwork: string;
  onNext: (() => void) | null;
  onPrevious: (() => void) | null;
};

/** Shows the episode on the lock screen, and obeys the media keys of keyboards and headsets. */
export function useMediaSession(
  video: RefObject<HTMLVideoElement | null>,
  { title, series, artwork, onNext, onPrevious }: Session,
) {
  useEffect(() => {
    const session = navigator.mediaSession;
    const element = video.current;
    if (!session || !element) return;
    session.metadata = new MediaMetadata({
      title,
      artist: series,
      artwork: [{ src: artwork, type: "image/webp" }],
    });
    const handlers: [MediaSessionAction, MediaSessionActionHandler | null][] = [
      ["play", () => void element.play()],
      ["pause", () => element.pause()],
      ["seekbackward", ({ seekOffset }) => (element.currentTime -= seekOffset ?? 10)],
      ["seekforward", ({ seekOffset }) => (element.currentTime += seekOffset ?? 10)],
      ["seekto", ({ seekTime }) => (element.currentTime = seekTime ?? element.currentTime)],
      ["nexttrack", onNext],
      ["previoustrack", onPrevious],
    ];
    for (const [action, handler] of handlers) session.setActionHandler(action, handler);
    return () => {
      for (const [action] of handlers) session.setActionHandler(action, null);
      session.metadata = null;
    };
  }, [video, title, series, artwork, onNext, onPrevious]);
}
