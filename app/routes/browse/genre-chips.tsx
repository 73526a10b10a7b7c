import type { Genre } from "#app/domain/catalog/catalog.ts";
import { slugOfName } from "#app/wire/browse-choices.ts";
import { type Fields, valueIn } from "./filter-fields.ts";

type Props = { fields: Fields; genres: readonly Genre[] };

/**
 * Each genre has three states: three radio buttons whose labels lie on top of each other. CSS puts the label of the
 * next state on top, so that a press chooses it without scripts. Keyboards use plain radio buttons.
 */
export function GenreChips({ fields, genres }: Props) {
  return (
    <fieldset aria-describedby="genres-hint">
      <legend className="field-name">Genres</legend>
      <p className="quiet genres-hint" id="genres-hint">
        Each can be included, then excluded.
      </p>
      <div className="genres">
        {genres.map((genre) => (
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
  const slug = slugOfName(genre);
  return (
    <span className="genre" role="radiogroup" aria-label={genre}>
      {states.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={slug} value={value} defaultChecked={state === value} aria-label={label} />
        </label>
      ))}
      <span className="genre-name" aria-hidden="true">
        {genre}
      </span>
    </span>
  );
}
