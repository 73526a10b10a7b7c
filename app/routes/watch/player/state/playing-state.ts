import { type RefObject, useEffect, useState } from "react";

/** The state of the video element, for the controls. It is always read from the element. */
export type PlayingState = {
  paused: boolean;
  ended: boolean;
  waiting: boolean;
  time: number;
  duration: number;
  buffered: number;
  volume: number;
  muted: boolean;
  speed: number;
};

const initialState: PlayingState = {
  paused: true,
  ended: false,
  waiting: false,
  time: 0,
  duration: Number.NaN,
  buffered: 0,
  volume: 1,
  muted: false,
  speed: 1,
};

const events = [
  "play",
  "pause",
  "ended",
  "timeupdate",
  "seeking",
  "seeked",
  "durationchange",
  "progress",
  "volumechange",
  "ratechange",
  "waiting",
  "playing",
  "canplay",
  "emptied",
] as const;

export function usePlayingState(video: RefObject<HTMLVideoElement | null>): PlayingState {
  const [playing, setPlaying] = useState(initialState);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const read = () => setPlaying(stateOf(element));
    for (const name of events) element.addEventListener(name, read);
    read();
    return () => {
      for (const name of events) element.removeEventListener(name, read);
    };
  }, [video]);
  return playing;
}

const stateOf = (video: HTMLVideoElement): PlayingState => ({
  paused: video.paused,
  ended: video.ended,
  waiting: !video.paused && !video.ended && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
  time: video.currentTime,
  duration: video.duration,
  buffered: bufferedEnd(video),
  volume: video.volume,
  muted: video.muted,
  speed: video.playbackRate,
});

function bufferedEnd({ buffered, currentTime }: HTMLVideoElement) {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= currentTime + 0.1 && buffered.end(index) >= currentTime)
      return buffered.end(index);
  return currentTime;
}
