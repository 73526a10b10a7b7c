import { useId } from "react";
import type { Captions } from "./state/captions.ts";
import { type PlayerSource, sourceLabel, speeds } from "./state/playback.ts";
import type { PlayerMemory } from "./state/player-memory.ts";
import type { SourceChoice } from "./state/use-source.ts";

type Props = {
  choice: SourceChoice;
  isSilent: boolean;
  onMute(): void;
  speed: number;
  onSpeed(speed: number): void;
  captions: Captions;
  onCaptions(language: string | null): void;
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
  captions,
  onCaptions,
  look,
  onLook,
}: Props) {
  const heights = [...new Set(choice.qualities.map(({ height }) => height))].sort((a, b) => b - a);
  return (
    <div className="player-settings">
      {heights.length > 1 && (
        <Choice
          name="Quality"
          value={String(choice.quality ?? "auto")}
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
      <Choice
        name="Speed"
        value={String(speed)}
        options={speeds.map((one) => [String(one), one === 1 ? "Normal" : `${one}×`])}
        onChange={(value) => onSpeed(Number(value))}
      />
      {captions.languages.length > 0 && <CaptionChoices {...{ captions, onCaptions, look, onLook }} />}
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

function CaptionChoices({
  captions,
  onCaptions,
  look,
  onLook,
}: Pick<Props, "captions" | "onCaptions" | "look" | "onLook">) {
  return (
    <>
      <Choice
        name="Captions"
        value={captions.shown ?? "off"}
        options={[
          ["off", "Off"],
          ...captions.languages.map(({ language, label }) => [language, label] as const),
        ]}
        onChange={(value) => onCaptions(value === "off" ? null : value)}
      />
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
  /** On a phone, whose bar has no room for it. */
  only?: "narrow";
};

function Choice<Value extends string>({ name, value, options, onChange, only }: ChoiceProps<Value>) {
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
      </select>
    </div>
  );
}
