import { type RefObject, useEffect, useMemo, useRef } from "react";
import type { SkipSegment } from "#app/domain/catalog/catalog.ts";
import type { Chapter } from "#app/domain/playback/playback.ts";
import { hasSingleKeys } from "#app/ui/shell/single-keys.ts";
import type { Captions } from "../tracks/subtitle-screen.ts";
import { nameOfSubtitles } from "../tracks/track-choice.ts";
import { chapterName, chapterStart, clampTime, nextSpeed, segmentAt, skippedText } from "./playback.ts";
import { type Command, commandOf, doneText, focusOf } from "./player-keys.ts";
import { readPlayerMemory, savePlayerMemory } from "./player-memory.ts";

/** The commands of the player, for keys and buttons. */
export type Commands = {
  run(command: Command): void;
  /** Runs a command for a key or a tap on the film, and says over the film what it did. */
  runShown(command: Command): void;
  seekTo(seconds: number): void;
  setVolume(volume: number): void;
  setSpeed(speed: number): void;
  setCaptions(key: string | null): void;
};

type CommandContext = {
  frame: RefObject<HTMLElement | null>;
  skip: readonly SkipSegment[];
  chapters: readonly Chapter[];
  onNext: (() => void) | null;
  onPrevious: (() => void) | null;
  captions: Captions;
  showCaptions(key: string | null): void;
  onOverview(): void;
  /** Tells screen readers what has changed. */
  announce(text: string): void;
  /** Shows the text over the film for a moment. */
  show(text: string): void;
};

export function useCommands(
  video: RefObject<HTMLVideoElement | null>,
  commandContext: CommandContext,
): Commands {
  const context = useRef(commandContext);
  context.current = commandContext;
  const commands = useMemo(() => createCommands(video, context), [video]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const focus = focusOf(document.activeElement, context.current.frame.current);
      const command = commandOf(event, focus);
      if (command === null || event.defaultPrevented) return;
      if (event.key.length === 1 && event.key !== " " && !hasSingleKeys()) return;
      event.preventDefault();
      commands.runShown(command);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [commands]);
  return commands;
}

type Settings = Omit<Commands, "run" | "runShown">;
type VideoRef = RefObject<HTMLVideoElement | null>;

function createCommands(video: VideoRef, context: RefObject<CommandContext>): Commands {
  const settings = createSettings(video, context);
  const handlers = createHandlers(video, context, settings);
  const run = (command: Command) => {
    if (isJump(command)) return jump(video.current, command, settings.seekTo);
    handlers[command]();
  };
  const runShown = (command: Command) => {
    run(command);
    const text = video.current && doneText(command, video.current);
    if (text) context.current.show(text);
  };
  return { run, runShown, ...settings };
}

type Jump = `jump-${number}`;
const isJump = (command: Command): command is Jump => command.startsWith("jump-");

function jump(element: HTMLVideoElement | null, command: Jump, seekTo: Commands["seekTo"]) {
  if (element && Number.isFinite(element.duration))
    seekTo((element.duration * Number(command.slice("jump-".length))) / 10);
}

function createSettings(video: VideoRef, context: RefObject<CommandContext>): Settings {
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
      context.current.announce(`Speed ${speed}`);
    },
    setCaptions(key) {
      context.current.showCaptions(key);
      const shown = context.current.captions.tracks.find((one) => one.key === key);
      context.current.announce(shown ? `Captions on, ${shown.label}` : "Captions off");
    },
  };
}

const volumeAfterSilence = 0.5;

function createHandlers(
  video: VideoRef,
  context: RefObject<CommandContext>,
  { seekTo, setVolume, setSpeed, setCaptions }: Settings,
): Record<Exclude<Command, Jump>, () => void> {
  const withVideo = (act: (element: HTMLVideoElement) => void) => () => {
    if (video.current) act(video.current);
  };
  const seekBy = (seconds: number) => withVideo(({ currentTime }) => seekTo(currentTime + seconds));
  const chapterBy = (direction: 1 | -1) =>
    withVideo(({ currentTime }) => {
      const chapter = chapterStart(context.current.chapters, currentTime, direction);
      if (!chapter) return;
      seekTo(chapter.start);
      context.current.announce(chapterName(chapter));
    });
  const volumeBy = (step: number) => withVideo(({ volume }) => setVolume(volume + step));
  return {
    "toggle-play": withVideo((element) =>
      element.paused ? void element.play().catch(() => {}) : element.pause(),
    ),
    "back-5": seekBy(-5),
    "forward-5": seekBy(5),
    "back-10": seekBy(-10),
    "forward-10": seekBy(10),
    "volume-up": volumeBy(0.05),
    "volume-down": volumeBy(-0.05),
    mute: withVideo((element) => {
      element.muted = !element.muted && element.volume > 0;
      // The slider may be at its end, where the film would stay silent.
      if (element.volume === 0) element.volume = volumeAfterSilence;
      savePlayerMemory({ volume: element.volume, muted: element.muted });
      context.current.announce(element.muted ? "Sound off" : "Sound on");
    }),
    fullscreen: withVideo((element) => toggleFullscreen(context.current.frame.current, element)),
    "picture-in-picture": withVideo((element) => void togglePictureInPicture(element)),
    captions: () => setCaptions(toggledCaptions(context.current.captions)),
    slower: withVideo(({ playbackRate }) => setSpeed(nextSpeed(playbackRate, -1))),
    faster: withVideo(({ playbackRate }) => setSpeed(nextSpeed(playbackRate, 1))),
    next: () => context.current.onNext?.(),
    previous: () => context.current.onPrevious?.(),
    skip: withVideo(({ currentTime }) => {
      const segment = segmentAt(context.current.skip, currentTime);
      if (!segment) return;
      seekTo(segment.end);
      context.current.announce(skippedText(segment));
    }),
    "previous-chapter": chapterBy(-1),
    "next-chapter": chapterBy(1),
    overview: () => context.current.onOverview(),
  };
}

/**
 * The captions after a toggle: null if captions are on, else those that were turned off last, else those in the language
 * used last, else the first ones.
 */
function toggledCaptions({ tracks, shown }: Captions): string | null {
  if (shown !== null) return null;
  const { hiddenCaptions: hidden, captions: last } = readPlayerMemory();
  const alike = tracks.filter((track) => nameOfSubtitles(track) === hidden?.name);
  const again =
    alike.find(({ label }) => label === hidden?.label) ??
    alike[0] ??
    tracks.find(({ language }) => language === last);
  return (again ?? tracks[0])?.key ?? null;
}

type IosVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

function toggleFullscreen(frame: HTMLElement | null, video: IosVideo) {
  if (document.fullscreenElement) return void document.exitFullscreen();
  // iPhones can only show the video element in full screen.
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
