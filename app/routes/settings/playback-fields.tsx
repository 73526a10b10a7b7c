import { PreferenceSwitch, SettingSelect } from "./preference-form.tsx";

type Choices = readonly (readonly [string, string])[];
type TrackPreferencesProps = {
  preferences: { soundLanguage: string; subtitleLanguages: readonly string[]; plainSubtitles: boolean };
  choices: { soundLanguage: Choices; subtitleLanguages: Choices };
};

const subtitleFields = [
  ["firstSubtitles", "First choice"],
  ["secondSubtitles", "Second choice"],
  ["thirdSubtitles", "Third choice"],
] as const;

/** The languages that episodes start with. For a single title, the member's choice in the player comes first. */
export function TrackPreferences({ preferences, choices }: TrackPreferencesProps) {
  const { soundLanguage, subtitleLanguages, plainSubtitles } = preferences;
  return (
    <>
      <SettingSelect
        label="Audio language"
        name="soundLanguage"
        chosen={soundLanguage}
        choices={choices.soundLanguage}
      />
      {/* Together they are one preference, which is saved as a whole. */}
      <fieldset className="setting-group">
        <legend className="field-name">Subtitles</legend>
        {subtitleFields.map(([name, label], index) => (
          <SettingSelect
            key={name}
            label={label}
            name={name}
            chosen={subtitleLanguages[index] ?? ""}
            choices={choices.subtitleLanguages}
          />
        ))}
      </fieldset>
      <PreferenceSwitch name="plainSubtitles" label="Plain subtitles" isOn={plainSubtitles}>
        Shows styled subtitles as text, which a screen reader can read and which you can enlarge.
      </PreferenceSwitch>
    </>
  );
}
