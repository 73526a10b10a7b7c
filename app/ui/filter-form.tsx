import { memo, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { animeTypes, seasons, weekdays } from "#app/domain/catalog/catalog.ts";
import { type BrowseQuery, formatBrowse, parseBrowse, wordOf } from "./browse-query.ts";
import { FilterSelect } from "./filter-select.tsx";
import { fieldsOf, showFields } from "./form-fields.ts";
import { GenreChips } from "./genre-chips.tsx";
import { CloseIcon } from "./icons.tsx";

export const filterFormId = "filters";

type Props = {
  query: BrowseQuery;
  total: number;
  years: readonly number[];
  showsMature: boolean;
  canHideMine: boolean;
};

const typingPauseMs = 400;

/** A plain GET form; with JavaScript every change is at once the page's new address. */
export function useFilterForm(query: BrowseQuery) {
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const navigate = useNavigate();
  const { search } = useLocation();
  const written = useRef(search);

  // The address may change without the form: a chip taken away, the way back.
  useEffect(() => {
    if (form.current !== null && written.current !== search) showFields(form.current, fieldsOf(query));
    written.current = search;
  }, [search, query]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = () => {
    clearTimeout(timer.current);
    if (form.current === null) return;
    const fields = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    const next = formatBrowse(parseBrowse(new URLSearchParams(fields)));
    written.current = next;
    navigate(`/browse${next}`, { preventScrollReset: true });
  };
  const onChange = (event: { target: EventTarget }) => {
    clearTimeout(timer.current);
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (isTyping) timer.current = setTimeout(apply, typingPauseMs);
    else apply();
  };
  return { form, apply, onChange };
}

type FormProps = Props & { control: ReturnType<typeof useFilterForm> };

/** A rail beside the titles; where there is no room for one, a sheet from below. */
export function FilterForm({ query, total, years, showsMature, canHideMine, control }: FormProps) {
  const { form, apply, onChange } = control;
  return (
    <form
      ref={form}
      id={filterFormId}
      className="filters"
      popover="auto"
      action="/browse"
      aria-label="Filters"
      onChange={onChange}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
        form.current?.hidePopover?.();
      }}
    >
      <div className="filters-head">
        <h2>Filters</h2>
        <button type="button" className="icon-button" popoverTarget={filterFormId} popoverTargetAction="hide">
          <CloseIcon />
          <span className="visually-hidden">Close filters</span>
        </button>
      </div>
      <input type="hidden" name="q" defaultValue={query.q} />
      <Fields query={query} years={years} showsMature={showsMature} canHideMine={canHideMine} />
      <div className="filters-foot">
        <button className="button" data-kind="primary" data-wide type="submit">
          {total === 1 ? "Show 1 title" : `Show ${total.toLocaleString("en")} titles`}
        </button>
      </div>
    </form>
  );
}

type FieldsProps = Omit<Props, "total">;

/** Drawn once: from then on the fields hold what the viewer did to them. */
const Fields = memo(
  function Fields({ query, years, showsMature, canHideMine }: FieldsProps) {
    return (
      <div className="filters-body">
        <GenreChips wanted={query.genres} without={query.without} showsMature={showsMature} />
        <FormatToggles types={query.types} />
        <div className="filters-pair">
          <FilterSelect
            name="season"
            label="Season"
            chosen={query.season && wordOf(query.season)}
            options={options(seasons)}
          />
          <FilterSelect
            name="year"
            label="Year"
            chosen={query.year}
            options={years.map((year) => [year, String(year)])}
          />
        </div>
        <FilterSelect
          name="status"
          label="Status"
          chosen={fieldsOf(query).get("status")?.[0]}
          options={statuses}
        />
        <FilterSelect name="score" label="Score" chosen={query.score} options={scores} />
        <FilterSelect
          name="rating"
          label="Age rating"
          chosen={query.rating}
          options={showsMature ? ratings : ratings.slice(0, -1)}
        />
        <FilterSelect
          name="day"
          label="Broadcast day"
          chosen={query.day && wordOf(query.day)}
          options={options(weekdays)}
        />
        <div className="field">
          <label htmlFor="studio">Studio</label>
          <input
            className="input"
            id="studio"
            type="text"
            name="studio"
            maxLength={200}
            autoComplete="off"
            placeholder="Any"
            defaultValue={query.studio}
          />
        </div>
        <Checks query={query} canHideMine={canHideMine} />
      </div>
    );
  },
  (before, now) => before.showsMature === now.showsMature && before.canHideMine === now.canHideMine,
);

function FormatToggles({ types }: { types: BrowseQuery["types"] }) {
  return (
    <fieldset>
      <legend className="field-name">Format</legend>
      <div className="filters-types">
        {animeTypes.map((type) => (
          <label className="toggle" key={type}>
            <input type="checkbox" name="type" value={wordOf(type)} defaultChecked={types.includes(type)} />
            {type}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Checks({ query, canHideMine }: Pick<Props, "query" | "canHideMine">) {
  return (
    <div>
      <Check name="watch" value="1" label="Can be watched here" isOn={query.playable} />
      <Check name="banner" value="1" label="Has a banner" isOn={query.hasBanner} />
      {canHideMine && <Check name="mine" value="0" label="Hide what is in my list" isOn={query.hideMine} />}
    </div>
  );
}

type CheckProps = { name: string; value: string; label: string; isOn: boolean };

function Check({ name, value, label, isOn }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
      {label}
    </label>
  );
}

const options = (names: readonly string[]) => names.map((name) => [wordOf(name), name] as const);
const statuses = [
  ["airing", "Airing now"],
  ["finished", "Finished"],
  ["upcoming", "Upcoming"],
] as const;
const scores = [9, 8, 7, 6, 5].map((score) => [score, `${score} or more`] as const);
const ratings = [
  ["g", "G · all ages"],
  ["pg", "PG · children"],
  ["pg-13", "PG-13 · teens"],
  ["r", "R · 17 and older"],
  ["r+", "R+ · mild nudity"],
  ["rx", "Rx · adults"],
] as const;
