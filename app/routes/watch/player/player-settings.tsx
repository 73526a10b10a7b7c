import { useEffect, useId, useRef } from "react";
import { isArrowModeOn } from "#app/ui/arrow-keys/arrow-mode.ts";
import { type PlayerSource, sourceLabel, speeds } from "./state/playback.ts";
import type { PlayerMemory } from "./state/player-memory.ts";
import type { SourceChoice } from "./state/use-source.ts";
import type { Tracks } from "./tracks/use-tracks.ts";

type Props = {
  choice: SourceChoice;
  isSilent: boolean;
  onMute(): void;
  speed: number;
  onSpeed(speed: number): void;
  tracks: Tracks;
  undrawable: readonly string[];
  onCaptions(key: string | null): void;
  look: Pick<PlayerMemory, "captionSize" | "captionBackground">;
  onLook(look: Partial<PlayerMemory>): void;
};

/** Plain selects, which work in every browser, with keyboards and with screen readers. */
export function PlayerSettings({
  choice,
  isSilent,
  onMute,
  speed,
  onSpeed,
  tracks,
  undrawable,
  onCaptions,
  look,
  onLook,
}: Props) {
  const heights = [...new Set(choice.qualities.map(({ height }) => height))].sort((a, b) => b - a);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isArrowModeOn())
      panel.current?.querySelector<HTMLElement>(".player-choice:not([data-only]) select")?.focus();
  }, []);
  return (
    <div ref={panel} className="player-settings">
      {heights.length > 1 && (
        <Choice
          name="Quality"
          // The stored height may be one of another film. The best one below it then plays.
          value={String(heights.find((height) => height <= (choice.quality ?? 0)) ?? "auto")}
          options={[
            ["auto", "Automatic"],
            ...heights.map((height) => [String(height), `${height}p`] as const),
          ]}
          onChange={(value) => choice.chooseQuality(value === "auto" ? null : Number(value))}
        />
      )}
      <Choice
        name="Sound"
        only="narrow"
        value={isSilent ? "off" : "on"}
        options={[
          ["on", "On"],
          ["off", "Off"],
        ]}
        onChange={onMute}
      />
      <SoundTracks tracks={tracks} />
      <Choice
        name="Speed"
        value={String(speed)}
        options={speeds.map((one) => [String(one), one === 1 ? "Normal" : `${one}×`])}
        onChange={(value) => onSpeed(Number(value))}
      />
      {tracks.captions.tracks.length + undrawable.length > 0 && (
        <CaptionChoices
          tracks={tracks}
          undrawable={undrawable}
          onCaptions={onCaptions}
          look={look}
          onLook={onLook}
        />
      )}
      {choice.sources.length > 1 && (
        <Choice
          name="Source"
          value={String(choice.chosen)}
          options={choice.sources.map((source: PlayerSource, index) => [
            String(index),
            sourceLabel(source, index),
          ])}
          onChange={(value) => choice.choose(Number(value))}
        />
      )}
    </div>
  );
}

const SoundTracks = ({ tracks: { sounds, sound, chooseSound } }: Pick<Props, "tracks">) =>
  sounds.length > 1 && (
    <Choice
      name="Sound track"
      value={sound ?? ""}
      options={sounds.map(({ key, label }) => [key, label])}
      onChange={chooseSound}
    />
  );

function CaptionChoices({
  tracks: { captions, delay, setDelay, isPlain, setPlain },
  undrawable,
  onCaptions,
  look,
  onLook,
}: Pick<Props, "tracks" | "undrawable" | "onCaptions" | "look" | "onLook">) {
  return (
    <>
      <Choice
        name="Captions"
        value={captions.shown ?? "off"}
        options={[["off", "Off"], ...captions.tracks.map(({ key, label }) => [key, label] as const)]}
        unavailable={undrawable.map((label) => `${label}: this player cannot show them`)}
        onChange={(value) => onCaptions(value === "off" ? null : value)}
      />
      {captions.tracks.some(({ isDrawable }) => isDrawable) && (
        <Choice
          name="Caption style"
          value={isPlain ? "plain" : "drawn"}
          options={[
            ["drawn", "As drawn"],
            ["plain", "Plain text"],
          ]}
          onChange={(value) => setPlain(value === "plain")}
        />
      )}
      {captions.shown !== null && <Delay seconds={delay} onChange={setDelay} />}
      {!captions.isDrawn && <LookChoices look={look} onLook={onLook} />}
    </>
  );
}

const maxDelaySeconds = 60;

function Delay({ seconds, onChange }: { seconds: number; onChange(seconds: number): void }) {
  const id = useId();
  return (
    <div className="player-choice">
      <label htmlFor={id}>Caption delay in seconds</label>
      <input
        id={id}
        className="input numeric"
        type="number"
        step={0.1}
        min={-maxDelaySeconds}
        max={maxDelaySeconds}
        defaultValue={seconds}
        onChange={({ currentTarget: { valueAsNumber, validity } }) => {
          if (!validity.rangeOverflow && !validity.rangeUnderflow) onChange(valueAsNumber || 0);
        }}
      />
    </div>
  );
}

/** The look of plain subtitles. Drawn subtitles keep the look that their authors gave them. */
function LookChoices({ look, onLook }: Pick<Props, "look" | "onLook">) {
  return (
    <>
      <Choice
        name="Caption size"
        value={look.captionSize}
        options={sizes}
        onChange={(captionSize) => onLook({ captionSize })}
      />
      <Choice
        name="Caption background"
        value={look.captionBackground}
        options={backgrounds}
        onChange={(captionBackground) => onLook({ captionBackground })}
      />
    </>
  );
}

const sizes: [PlayerMemory["captionSize"], string][] = [
  ["small", "Small"],
  ["medium", "Medium"],
  ["large", "Large"],
  ["huge", "Very large"],
];
const backgrounds: [PlayerMemory["captionBackground"], string][] = [
  ["solid", "Solid"],
  ["half", "Half transparent"],
  ["none", "None, outlined letters"],
];

type ChoiceProps<Value extends string> = {
  name: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange(value: Value): void;
  unavailable?: readonly string[];
  /** Shows the field only on phones (`narrow`), whose control bar has no room for it. */
  only?: "narrow";
};

function Choice<Value extends string>({
  name,
  value,
  options,
  onChange,
  unavailable = [],
  only,
}: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div className="player-choice" data-only={only}>
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        className="select"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
        {unavailable.map((label) => (
          <option key={label} disabled>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
