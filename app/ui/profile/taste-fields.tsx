import { useSiteData } from "../shell/site.ts";
import { Poster } from "../titles/poster.tsx";
import { nameIn, type TitleNames } from "../titles/title-name.ts";

type Tastes = {
  favoriteAnimes: readonly number[];
  favoriteGenres: readonly string[];
  favoriteStudios: readonly string[];
  frequencyOfWatch: string | null;
  fanaticLevel: string | null;
  preferredFormat: string | null;
};
type TitlePick = { malId: number; names: TitleNames };

type Choices = readonly string[];
type Props = {
  tastes: Tastes;
  picks: readonly TitlePick[];
  genres: Choices;
  frequencies: Choices;
  levels: Choices;
  formats: Choices;
};

export function TasteFields({ tastes, picks, genres, frequencies, levels, formats }: Props) {
  return (
    <>
      <TitlePicks picks={picks} chosen={tastes.favoriteAnimes} />
      <GenrePicks genres={genres} chosen={tastes.favoriteGenres} />
      <div className="field">
        <label htmlFor="studios">
          Studios <span className="quiet">(optional, separated by commas)</span>
        </label>
        <input
          className="input"
          id="studios"
          name="studios"
          maxLength={4000}
          defaultValue={tastes.favoriteStudios.join(", ")}
        />
      </div>
      <Choice
        name="frequency"
        label="How often do you watch?"
        options={frequencies}
        chosen={tastes.frequencyOfWatch}
      />
      <Choice
        name="fanatic_level"
        label="How big a fan are you?"
        options={levels}
        chosen={tastes.fanaticLevel}
      />
      <Choice
        name="preferred_format"
        label="Which format do you prefer?"
        options={formats}
        chosen={tastes.preferredFormat}
      />
    </>
  );
}

const TitlePicks = ({ picks, chosen }: { picks: readonly TitlePick[]; chosen: readonly number[] }) => {
  const { titleLanguage } = useSiteData().preferences;
  return (
    <fieldset className="stack-wide">
      <legend className="field-name">Titles you love</legend>
      <div className="grid-frame">
        <ul className="picks">
          {picks.map(({ malId, names }) => {
            const { name, lang } = nameIn(names, titleLanguage);
            return (
              <li key={malId}>
                <label className="pick">
                  <input
                    type="checkbox"
                    className="visually-hidden"
                    name={`favorite:${malId}`}
                    defaultChecked={chosen.includes(malId)}
                  />
                  {chosen.includes(malId) && <Unticked name={`favorite:${malId}`} />}
                  <Poster malId={malId} sizes="120px" />
                  <span className="pick-name" lang={lang}>
                    {name}
                  </span>
                </label>
              </li>
            );
          })}
        </ul>
      </div>
    </fieldset>
  );
};

/** A browser sends no unticked checkbox. Behind a box that was ticked, this field tells the server that it no longer is. */
const Unticked = ({ name }: { name: string }) => <input type="hidden" name={name} value="0" />;

const GenrePicks = ({ genres, chosen }: { genres: readonly string[]; chosen: readonly string[] }) => (
  <fieldset>
    <legend className="field-name">Genres you like</legend>
    <div className="chips">
      {genres.map((genre) => (
        <label className="chip chip-choice" key={genre}>
          <input
            type="checkbox"
            className="visually-hidden"
            name={`genre:${genre}`}
            defaultChecked={chosen.includes(genre)}
          />
          {chosen.includes(genre) && <Unticked name={`genre:${genre}`} />}
          {genre}
        </label>
      ))}
    </div>
  </fieldset>
);

type ChoiceProps = { name: string; label: string; options: readonly string[]; chosen: string | null };

const Choice = ({ name, label, options, chosen }: ChoiceProps) => (
  <div className="field">
    <label htmlFor={name}>{label}</label>
    <select className="select" id={name} name={name} defaultValue={chosen ?? ""}>
      <option value="">No answer</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </div>
);
