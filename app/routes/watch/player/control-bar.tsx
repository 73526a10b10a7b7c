import type { ReactNode } from "react";
import type { Chapter } from "#app/domain/playback/playback.ts";
import { PlayIcon } from "#app/ui/icons/icons.tsx";
import {
  BackTenIcon,
  CaptionsIcon,
  EnlargeIcon,
  ForwardTenIcon,
  KeyboardIcon,
  MutedIcon,
  NextIcon,
  PauseIcon,
  PictureInPictureIcon,
  PreviousIcon,
  ReplayIcon,
  SettingsIcon,
  SoundIcon,
} from "./player-icons.tsx";
import { ChapterName, Clock, SeekBar } from "./seek-bar.tsx";
import type { EpisodeLink } from "./state/playback.ts";
import type { Command } from "./state/player-keys.ts";
import type { PlayingState } from "./state/playing-state.ts";
import type { Commands } from "./state/use-commands.ts";
import type { Captions } from "./tracks/subtitle-screen.ts";

type Props = {
  playing: PlayingState;
  commands: Commands;
  chapters: readonly Chapter[];
  captions: Captions;
  isSettingsOpen: boolean;
  onSettings(): void;
  previous: EpisodeLink | null;
  next: EpisodeLink | null;
};

export function ControlBar({
  playing,
  commands,
  chapters,
  captions,
  isSettingsOpen,
  onSettings,
  previous,
  next,
}: Props) {
  const { paused, ended, time, duration, buffered } = playing;
  const press = (command: Command) => () => commands.run(command);
  return (
    <div className="player-bar">
      <SeekBar
        time={time}
        duration={duration}
        buffered={buffered}
        chapters={chapters}
        onSeek={commands.seekTo}
      />
      <div className="player-buttons">
        {previous && (
          <Button name={`Previous episode: ${previous.name}`} only="wide" onPress={press("previous")}>
            <PreviousIcon />
          </Button>
        )}
        <Button name={paused ? (ended ? "Play again" : "Play") : "Pause"} onPress={press("toggle-play")}>
          {paused ? ended ? <ReplayIcon /> : <PlayIcon /> : <PauseIcon />}
        </Button>
        {next && (
          <Button name={`Next episode: ${next.name}`} only="wide" onPress={press("next")}>
            <NextIcon />
          </Button>
        )}
        <Button name="Back 10 seconds" only="pointer" onPress={press("back-10")}>
          <BackTenIcon />
        </Button>
        <Button name="Forward 10 seconds" only="pointer" onPress={press("forward-10")}>
          <ForwardTenIcon />
        </Button>
        <Volume playing={playing} commands={commands} />
        <Clock time={time} duration={duration} />
        <ChapterName chapters={chapters} time={time} />
        {captions.tracks.length > 0 && (
          <Button name="Captions" isOn={captions.shown !== null} onPress={press("captions")}>
            <CaptionsIcon />
          </Button>
        )}
        <Button name="Settings" isOpen={isSettingsOpen} onPress={onSettings}>
          <SettingsIcon />
        </Button>
        <Button name="Keys" only="pointer" onPress={press("overview")}>
          <KeyboardIcon />
        </Button>
        <Button name="Picture in picture" only="pointer" onPress={press("picture-in-picture")}>
          <PictureInPictureIcon />
        </Button>
        <Button name="Full screen" onPress={press("fullscreen")}>
          <EnlargeIcon />
        </Button>
      </div>
    </div>
  );
}

function Volume({ playing: { muted, volume }, commands }: Pick<Props, "playing" | "commands">) {
  const isSilent = muted || volume === 0;
  return (
    <span className="player-volume">
      <Button name="Mute" isOn={isSilent} onPress={() => commands.run("mute")}>
        {isSilent ? <MutedIcon /> : <SoundIcon />}
      </Button>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={isSilent ? 0 : volume}
        aria-label="Volume"
        aria-valuetext={`${Math.round((isSilent ? 0 : volume) * 100)} %`}
        onChange={(event) => commands.setVolume(Number(event.currentTarget.value))}
      />
    </span>
  );
}

type ButtonProps = {
  name: string;
  children: ReactNode;
  onPress(): void;
  /** Whether a switch is on. */
  isOn?: boolean;
  /** Whether the panel that the button opens is open. */
  isOpen?: boolean;
  /**
   * Shows the button only with a mouse (`pointer`), or only where the bar is wide enough (`wide`). Phones have the
   * action elsewhere.
   */
  only?: "pointer" | "wide";
};

export function Button({ name, children, onPress, isOn, isOpen, only }: ButtonProps) {
  return (
    <button
      type="button"
      className="player-button"
      aria-label={name}
      title={name}
      aria-pressed={isOn}
      aria-expanded={isOpen}
      data-only={only}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
