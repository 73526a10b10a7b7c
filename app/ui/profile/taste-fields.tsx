import { Poster } from "../poster.tsx";
import { useSite } from "../site.ts";
import { nameIn } from "../title-views.ts";

export type Tastes = {
  favoriteAnimes: readonly number[];
  favoriteGenres: readonly string[];
  favoriteStudios: readonly string[];
  frequencyOfWatch: string | null;
  fanaticLevel: string | null;
  preferredFormat: string | null;
};
export type Pick = { malId: number; names: Parameters<typeof nameIn>[0] };

type Words = readonly string[];
type Props = {
  tastes: Tastes;
  picks: readonly Pick[];
  genres: Words;
  frequencies: Words;
  levels: Words;
  formats: Words;
};

export function TasteFields({ tastes, picks, genres, frequencies, levels, formats }: Props) {
  return (
    <>
      <TitlePicks picks={picks} chosen={tastes.favoriteAnimes} />
      <GenrePicks genres={genres} chosen={tastes.favoriteGenres} />
      <div className="field">
        <label htmlFor="studios">
          Studios <span className="quiet">(optional, with commas between)</span>
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
        words={frequencies}
        chosen={tastes.frequencyOfWatch}
      />
      <Choice
        name="fanatic_level"
        label="How far gone are you?"
        words={levels}
        chosen={tastes.fanaticLevel}
      />
      <Choice
        name="preferred_format"
        label="What do you prefer?"
        words={formats}
        chosen={tastes.preferredFormat}
      />
    </>
  );
}

const TitlePicks = ({ picks, chosen }: { picks: readonly Pick[]; chosen: readonly number[] }) => {
  const { titleLanguage } = useSite().preferences;
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
          {genre}
        </label>
      ))}
    </div>
  </fieldset>
);

type ChoiceProps = { name: string; label: string; words: readonly string[]; chosen: string | null };

const Choice = ({ name, label, words, chosen }: ChoiceProps) => (
  <div className="field">
    <label htmlFor={name}>{label}</label>
    <select className="select" id={name} name={name} defaultValue={chosen ?? ""}>
      <option value="">Not told</option>
      {words.map((word) => (
        <option key={word}>{word}</option>
      ))}
    </select>
  </div>
);
