import { type RefObject, useEffect, useMemo, useRef } from "react";
import { captionsOf, showCaptions } from "./captions.ts";
import { clampTime, nextSpeed, type PlayerSkipSegment, segmentAt } from "./playback.ts";
import { type Command, commandOf, focusOf } from "./player-keys.ts";
import { readPlayerMemory, savePlayerMemory } from "./player-memory.ts";

/** Everything a viewer can ask of the player, by key or by button. */
export type Commands = {
  run(command: Command): void;
  seekTo(seconds: number): void;
  setVolume(volume: number): void;
  setSpeed(speed: number): void;
  setCaptions(language: string | null): void;
};

type Surroundings = {
  frame: RefObject<HTMLElement | null>;
  skip: readonly PlayerSkipSegment[];
  onNext: (() => void) | null;
  onPrevious: (() => void) | null;
  onOverview(): void;
  /** Said to whoever does not see the controls. */
  announce(words: string): void;
};

export function useCommands(video: RefObject<HTMLVideoElement | null>, surroundings: Surroundings): Commands {
  const around = useRef(surroundings);
  around.current = surroundings;
  const commands = useMemo(() => makeCommands(video, around), [video]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command = commandOf(event, focusOf(document.activeElement));
      if (command === null || event.defaultPrevented) return;
      event.preventDefault();
      commands.run(command);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [commands]);
  return commands;
}

type VideoRef = RefObject<HTMLVideoElement | null>;

function makeCommands(video: VideoRef, around: RefObject<Surroundings>): Commands {
  const settings = makeSettings(video, around);
  const orders = makeOrders(video, around, settings);
  const run = (command: Command) => {
    if (isJump(command)) return jump(video.current, command, settings.seekTo);
    orders[command]();
  };
  return { run, ...settings };
}

type Jump = `jump-${number}`;
const isJump = (command: Command): command is Jump => command.startsWith("jump-");

function jump(element: HTMLVideoElement | null, command: Jump, seekTo: Commands["seekTo"]) {
  if (element && Number.isFinite(element.duration))
    seekTo((element.duration * Number(command.slice("jump-".length))) / 10);
}

function makeSettings(video: VideoRef, around: RefObject<Surroundings>): Omit<Commands, "run"> {
  return {
    seekTo(seconds) {
      if (video.current) video.current.currentTime = clampTime(seconds, video.current.duration);
    },
    setVolume(volume) {
      if (!video.current) return;
      video.current.volume = Math.min(1, Math.max(0, Math.round(volume * 100) / 100));
      video.current.muted = video.current.volume === 0;
      savePlayerMemory({ volume: video.current.volume, muted: video.current.muted });
    },
    setSpeed(speed) {
      if (video.current) video.current.playbackRate = speed;
      savePlayerMemory({ speed });
      around.current.announce(`Speed ${speed}`);
    },
    setCaptions(language) {
      if (!video.current) return;
      showCaptions(video.current, language);
      savePlayerMemory({ captions: language });
      const shown = captionsOf(video.current).languages.find((one) => one.language === language);
      around.current.announce(shown ? `Captions on, ${shown.label}` : "Captions off");
    },
  };
}

function makeOrders(
  video: VideoRef,
  around: RefObject<Surroundings>,
  { seekTo, setVolume, setSpeed, setCaptions }: Omit<Commands, "run">,
): Record<Exclude<Command, Jump>, () => void> {
  const asked = (act: (element: HTMLVideoElement) => void) => () => {
    if (video.current) act(video.current);
  };
  const seekBy = (seconds: number) => asked(({ currentTime }) => seekTo(currentTime + seconds));
  const louderBy = (step: number) => asked(({ volume }) => setVolume(volume + step));
  return {
    "toggle-play": asked((element) =>
      element.paused ? void element.play().catch(() => {}) : element.pause(),
    ),
    "back-5": seekBy(-5),
    "forward-5": seekBy(5),
    "back-10": seekBy(-10),
    "forward-10": seekBy(10),
    "volume-up": louderBy(0.05),
    "volume-down": louderBy(-0.05),
    mute: asked((element) => {
      element.muted = !element.muted;
      savePlayerMemory({ muted: element.muted });
      around.current.announce(element.muted ? "Sound off" : "Sound on");
    }),
    fullscreen: asked((element) => toggleFullscreen(around.current.frame.current, element)),
    "picture-in-picture": asked((element) => void togglePictureInPicture(element)),
    captions: asked((element) => setCaptions(otherCaptions(element))),
    slower: asked(({ playbackRate }) => setSpeed(nextSpeed(playbackRate, -1))),
    faster: asked(({ playbackRate }) => setSpeed(nextSpeed(playbackRate, 1))),
    next: () => around.current.onNext?.(),
    previous: () => around.current.onPrevious?.(),
    skip: asked(({ currentTime }) => {
      const segment = segmentAt(around.current.skip, currentTime);
      if (segment) seekTo(segment.end);
    }),
    overview: () => around.current.onOverview(),
  };
}

/** Off when on; when off, the language used last, else the first. */
function otherCaptions(video: HTMLVideoElement): string | null {
  const { shown, languages: known } = captionsOf(video);
  if (shown !== null) return null;
  const languages = known.map(({ language }) => language);
  const last = readPlayerMemory().captions;
  return last !== null && languages.includes(last) ? last : (languages[0] ?? null);
}

type IosVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

function toggleFullscreen(frame: HTMLElement | null, video: IosVideo) {
  if (document.fullscreenElement) return void document.exitFullscreen();
  // Phones of one make can only enlarge the film itself.
  if (frame?.requestFullscreen) void frame.requestFullscreen().catch(() => video.webkitEnterFullscreen?.());
  else video.webkitEnterFullscreen?.();
}

async function togglePictureInPicture(video: HTMLVideoElement) {
  if (!document.pictureInPictureEnabled) return;
  await (document.pictureInPictureElement
    ? document.exitPictureInPicture()
    : video.requestPictureInPicture()
  ).catch(() => {});
}
