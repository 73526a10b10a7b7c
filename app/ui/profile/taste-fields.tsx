import type { CardTitle } from "../titles/card.tsx";
import { Poster } from "../titles/poster.tsx";

type Choices = readonly string[];
type Question = { name: string; label: string; options: Choices; chosen: string | null };
type Props = {
  genres: Choices;
  favoriteGenres: Choices;
  favoriteStudios: Choices;
  questions: readonly Question[];
  typed?: Typed;
};

/** Returns the value that the refused form contained for a field. */
type Typed = (field: string) => string | undefined;

const nothingTyped: Typed = () => undefined;

export function TasteFields({
  genres,
  favoriteGenres,
  favoriteStudios,
  questions,
  typed = nothingTyped,
}: Props) {
  return (
    <>
      <ChipPicks
        legend="Genres you like"
        prefix="genre:"
        names={genres}
        chosen={favoriteGenres}
        typed={typed}
      />
      {favoriteStudios.length > 0 && (
        <ChipPicks
          legend="Studios you like"
          prefix="studio:"
          names={favoriteStudios}
          chosen={favoriteStudios}
          typed={typed}
        />
      )}
      <div className="field">
        <label htmlFor="add-studios">
          Add studios <span className="quiet">(optional, separated by commas)</span>
        </label>
        <input
          className="input"
          id="add-studios"
          name="add_studios"
          maxLength={4000}
          autoComplete="off"
          defaultValue={typed("add_studios")}
        />
      </div>
      {questions.map((question) => (
        <Choice key={question.name} {...question} chosen={typed(question.name) ?? question.chosen} />
      ))}
    </>
  );
}

type TitlePick = Pick<CardTitle, "malId" | "name" | "lang" | "drawnIn">;
type PicksProps = {
  search: string;
  /** The results of the search, and the titles offered without one. */
  found: readonly TitlePick[];
  picks: readonly TitlePick[];
  chosen: readonly number[];
  /** The page of the favorites, which are among the picks. */
  page: number;
  lastPage: number;
  /**
   * Shows buttons that open the other pages of the favorites, and buttons that move each favorite to the front or by one
   * position. They are hidden while the results of a search stand above the favorites.
   */
  isOrdered?: boolean;
  typed?: Typed;
};

export const TitlePicks = ({
  search,
  found,
  picks,
  chosen,
  page,
  lastPage,
  isOrdered = false,
  typed = nothingTyped,
}: PicksProps) => (
  <>
    <div className="field">
      <label htmlFor="find-titles">Titles you love</label>
      <p className="pick-search">
        <input
          className="input"
          id="find-titles"
          type="search"
          name="q"
          defaultValue={search}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
        />
        <button className="button" type="submit" name="find" value="1">
          Search
        </button>
      </p>
    </div>
    {search !== "" && found.length === 0 && (
      <p className="lead" role="status">
        Nothing has a name like “{search}”.
      </p>
    )}
    {found.length > 0 && (
      <Picks legend={`Found for “${search}”`} titles={found} chosen={chosen} typed={typed} />
    )}
    {picks.length > 0 && (
      <Picks
        legend={legendOf(chosen, picks)}
        titles={picks}
        chosen={chosen}
        isOrdered={isOrdered && search === ""}
        typed={typed}
      />
    )}
    {isOrdered && search === "" && lastPage > 1 && <FavoritesPages page={page} lastPage={lastPage} />}
  </>
);

/** Buttons of the form, because a link would lose what is ticked on this page. */
const FavoritesPages = ({ page, lastPage }: { page: number; lastPage: number }) => (
  <p className="message-actions">
    <button className="button" type="submit" name="favorites" value={page - 1} disabled={page === 1}>
      Earlier favorites
    </button>
    <span className="quiet">
      Page {page} of {lastPage}
    </span>
    <button className="button" type="submit" name="favorites" value={page + 1} disabled={page === lastPage}>
      More favorites
    </button>
  </p>
);

function legendOf(chosen: readonly number[], picks: readonly TitlePick[]) {
  const favorites = picks.filter(({ malId }) => chosen.includes(malId)).length;
  if (favorites === 0) return "Popular titles";
  return favorites === picks.length ? "My favorites" : "My favorites, and popular titles";
}

type TitlesProps = {
  legend: string;
  titles: readonly TitlePick[];
  chosen: readonly number[];
  isOrdered?: boolean;
  typed: Typed;
};

function Picks({ legend, titles, chosen, isOrdered, typed }: TitlesProps) {
  return (
    <fieldset className="stack-wide">
      <legend className="field-name">{legend}</legend>
      <div className="grid-frame">
        <ul className="picks">
          {titles.map(({ malId, name, lang, drawnIn }) => (
            <li key={malId}>
              <label className="pick">
                <input
                  type="checkbox"
                  className="visually-hidden"
                  name={`favorite:${malId}`}
                  defaultChecked={isTicked(typed(`favorite:${malId}`), chosen.includes(malId))}
                />
                {chosen.includes(malId) && <Unticked name={`favorite:${malId}`} />}
                <Poster malId={malId} drawnIn={drawnIn} sizes="120px" />
                <span className="pick-name" lang={lang}>
                  {name}
                </span>
              </label>
              {isOrdered && <Moves malId={malId} name={name} />}
            </li>
          ))}
        </ul>
      </div>
    </fieldset>
  );
}

const moves = [
  ["first", "⇤", "to the front"],
  ["earlier", "←", "earlier"],
  ["later", "→", "later"],
] as const;

/**
 * All buttons are also shown at the ends of the list, where some of them change nothing: a button that disappears would
 * take the focus with it.
 */
const Moves = ({ malId, name }: { malId: number; name: string }) => (
  <span className="pick-moves">
    {moves.map(([to, arrow, text]) => (
      <button key={to} type="submit" name="move" value={`${to}:${malId}`} aria-label={`Move ${name} ${text}`}>
        {arrow}
      </button>
    ))}
  </span>
);

/**
 * Browsers do not send unticked checkboxes. This field, beside a box that was ticked, tells the server that the box is
 * now unticked.
 */
const Unticked = ({ name }: { name: string }) => <input type="hidden" name={name} value="0" />;

const isTicked = (typed: string | undefined, isChosen: boolean) =>
  typed === undefined ? isChosen : typed !== "0";

type ChipPicksProps = { legend: string; prefix: string; names: Choices; chosen: Choices; typed: Typed };

const ChipPicks = ({ legend, prefix, names, chosen, typed }: ChipPicksProps) => (
  <fieldset>
    <legend className="field-name">{legend}</legend>
    <div className="chips">
      {names.map((name) => (
        <label className="chip chip-choice" key={name}>
          <input
            type="checkbox"
            className="visually-hidden"
            name={prefix + name}
            defaultChecked={isTicked(typed(prefix + name), chosen.includes(name))}
          />
          {chosen.includes(name) && <Unticked name={prefix + name} />}
          {name}
        </label>
      ))}
    </div>
  </fieldset>
);

const Choice = ({ name, label, options, chosen }: Question) => (
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
