import type { Genre } from "#app/domain/catalog/catalog.ts";
import { listVisibleGenres, slugOfName } from "#app/ui/browse-words.ts";
import { type Fields, valueIn } from "./filter-fields.ts";

type Props = { fields: Fields; showsMature: boolean };

/**
 * Three states a genre, as three radio buttons in one place: the label on top is always the next state's, so that
 * each press goes on to it, with no script at all. The keyboard sees plain radio buttons.
 */
export function GenreChips({ fields, showsMature }: Props) {
  return (
    <fieldset>
      <legend className="field-name">
        Genres <span className="quiet">press twice to exclude</span>
      </legend>
      <div className="genres">
        {listVisibleGenres(showsMature).map((genre) => (
          <GenreChip key={genre} genre={genre} state={valueIn(fields, slugOfName(genre))} />
        ))}
      </div>
    </fieldset>
  );
}

const states = [
  ["", "any"],
  ["with", "included"],
  ["without", "excluded"],
] as const;

function GenreChip({ genre, state }: { genre: Genre; state: string }) {
  const word = slugOfName(genre);
  return (
    <span className="genre" role="radiogroup" aria-label={genre}>
      {states.map(([value, words]) => (
        <label key={value}>
          <input type="radio" name={word} value={value} defaultChecked={state === value} aria-label={words} />
        </label>
      ))}
      <span className="genre-name" aria-hidden="true">
        {genre}
      </span>
    </span>
  );
}
