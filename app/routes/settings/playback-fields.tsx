import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { Switch } from "./sections.tsx";

type Choices = readonly (readonly [string, string])[];
type TrackPreferencesProps = {
  preferences: { soundLanguage: string; subtitleLanguages: readonly string[]; plainSubtitles: boolean };
  choices: { soundLanguage: Choices; subtitleLanguages: Choices };
};

const subtitleFields = [
  ["firstSubtitles", "First choice of subtitles"],
  ["secondSubtitles", "Second choice of subtitles"],
  ["thirdSubtitles", "Third choice of subtitles"],
] as const;

/** The languages that episodes start with. For a single title, the member's choice in the player comes first. */
export function TrackPreferences({ preferences, choices }: TrackPreferencesProps) {
  const { soundLanguage, subtitleLanguages, plainSubtitles } = preferences;
  return (
    <>
      <ChoiceSelect
        label="Audio language"
        name="soundLanguage"
        chosen={soundLanguage}
        choices={choices.soundLanguage}
      />
      {subtitleFields.map(([name, label], index) => (
        <ChoiceSelect
          key={name}
          label={label}
          name={name}
          chosen={subtitleLanguages[index] ?? ""}
          choices={choices.subtitleLanguages}
        />
      ))}
      <Switch name="plainSubtitles" label="Plain subtitles" isOn={plainSubtitles}>
        Shows styled subtitles as text, which a screen reader can read and which you can enlarge.
      </Switch>
    </>
  );
}
