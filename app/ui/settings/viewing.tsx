import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";

/** What parental control does now, in words. */
export function ContentWords({ isOn, isMinor }: { isOn: boolean; isMinor: boolean }) {
  if (isMinor) return "By your birthday you are under 18, so titles for adults stay hidden everywhere.";
  return isOn
    ? "Hidden now, everywhere on the site: titles rated Rx, and the genres Erotica and Hentai."
    : "Nothing is hidden now. Turn it on to hide titles rated Rx, and the genres Erotica and Hentai.";
}

const names: Record<TitleLanguage, string> = {
  romaji: "Japanese in Latin letters: Shingeki no Kyojin",
  english: "English: Attack on Titan",
  japanese: "Japanese: 進撃の巨人",
};

export function LanguageSelect({ chosen }: { chosen: TitleLanguage }) {
  return (
    <label className="field">
      <span className="field-name">Show titles in</span>
      <select className="select" name="titleLanguage" defaultValue={chosen}>
        {Object.entries(names).map(([language, name]) => (
          <option key={language} value={language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
