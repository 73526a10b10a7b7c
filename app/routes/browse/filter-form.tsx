import { memo, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { type Genre, type RatingCode, seasons, titleTypes, weekdays } from "#app/domain/catalog/catalog.ts";
import { browsePath } from "#app/paths.ts";
import { ratingLabels, slugOfName, sortLabels, statuses } from "#app/ui/browse-choices.ts";
import { CloseIcon } from "#app/ui/icons/icons.tsx";
import { type Fields as FormFields, isChosen, searchOf, showFields, valueIn } from "./filter-fields.ts";
import { FilterSelect } from "./filter-select.tsx";
import { GenreChips } from "./genre-chips.tsx";

export const filterFormId = "filters";

type Props = {
  fields: FormFields;
  total: number;
  years: readonly number[];
  /** The genres and age ratings to choose from. */
  offered: { genres: readonly Genre[]; ratings: readonly RatingCode[] };
  canHideMine: boolean;
};

const typingPauseMs = 400;

/** A plain GET form. With scripts, every change navigates at once. */
export function useFilterForm(fields: FormFields) {
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const navigate = useNavigate();
  const { search } = useLocation();
  const isOwnNavigation = useRef(false);

  // The address also changes without the form: by a filter's chip or the Back button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new address
  useEffect(() => {
    if (form.current !== null && !isOwnNavigation.current) showFields(form.current, fields);
    isOwnNavigation.current = false;
  }, [search, fields]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = () => {
    clearTimeout(timer.current);
    if (form.current === null) return;
    isOwnNavigation.current = true;
    navigate(browsePath(searchOf(form.current)), { preventScrollReset: true });
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

/** A column beside the titles; on small screens a sheet from below. */
export function FilterForm({ fields, total, years, offered, canHideMine, control }: FormProps) {
  const { form, apply, onChange } = control;
  return (
    <form
      ref={form}
      id={filterFormId}
      className="filters"
      popover="auto"
      action={browsePath()}
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
      <input type="hidden" name="q" defaultValue={valueIn(fields, "q")} />
      <Fields fields={fields} years={years} offered={offered} canHideMine={canHideMine} />
      <div className="filters-foot">
        <button className="button" data-kind="primary" data-wide type="submit">
          {total === 1 ? "Show 1 title" : `Show ${total.toLocaleString("en")} titles`}
        </button>
      </div>
    </form>
  );
}

type FieldsProps = Omit<Props, "total">;

/** Rendered once: the fields are uncontrolled, and `showFields` changes them. */
const Fields = memo(
  function Fields({ fields, years, offered, canHideMine }: FieldsProps) {
    return (
      <div className="filters-body">
        <GenreChips fields={fields} genres={offered.genres} />
        <FormatToggles fields={fields} />
        <div className="filters-pair">
          <FilterSelect name="season" label="Season" fields={fields} options={options(seasons)} />
          <FilterSelect
            name="year"
            label="Year"
            fields={fields}
            options={years.map((year) => [String(year), String(year)])}
          />
        </div>
        <FilterSelect name="status" label="Status" fields={fields} options={statusChoices} />
        <FilterSelect name="score" label="Score" fields={fields} options={scores} />
        <FilterSelect
          name="rating"
          label="Age rating"
          fields={fields}
          options={offered.ratings.map((code) => [code, ratingLabels[code]])}
        />
        <FilterSelect name="day" label="Broadcast day" fields={fields} options={options(weekdays)} />
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
            defaultValue={valueIn(fields, "studio")}
          />
        </div>
        <Checks fields={fields} canHideMine={canHideMine} />
      </div>
    );
  },
  (before, now) => offeredKey(before) === offeredKey(now) && before.canHideMine === now.canHideMine,
);

const offeredKey = ({ offered: { genres, ratings } }: FieldsProps) => [...genres, ...ratings].join();

function FormatToggles({ fields }: Pick<Props, "fields">) {
  return (
    <fieldset>
      <legend className="field-name">Format</legend>
      <div className="filters-types">
        {titleTypes.map((type) => (
          <label className="toggle" key={type}>
            <input
              type="checkbox"
              name="type"
              value={slugOfName(type)}
              defaultChecked={isChosen(fields, "type", slugOfName(type))}
            />
            {type}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Checks({ fields, canHideMine }: Pick<Props, "fields" | "canHideMine">) {
  return (
    <div>
      <Check name="watch" value="1" label="Can be watched here" fields={fields} />
      <Check name="banner" value="1" label="Has a banner" fields={fields} />
      {canHideMine && <Check name="mine" value="0" label="Hide what is in my list" fields={fields} />}
    </div>
  );
}

type CheckProps = { name: string; value: string; label: string; fields: FormFields };

function Check({ name, value, label, fields }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value={value} defaultChecked={isChosen(fields, name, value)} />
      {label}
    </label>
  );
}

const options = (names: readonly string[]) => names.map((name) => [slugOfName(name), name] as const);
const statusChoices = Object.entries(statuses).map(([slug, { label }]) => [slug, label] as const);
const scores = ["9", "8", "7", "6", "5"].map((score) => [score, `${score} or more`] as const);
type SortProps = { fields: FormFields; onChange: (event: { target: EventTarget }) => void };

/** Rendered above the titles, outside the form element; the `form` attribute connects it. */
export function SortSelect({ fields, onChange }: SortProps) {
  const hasQuery = valueIn(fields, "q") !== "";
  return (
    <label className="browse-sort">
      <span className="visually-hidden">Sort by</span>
      <select
        className="select"
        name="sort"
        form={filterFormId}
        defaultValue={valueIn(fields, "sort")}
        onChange={onChange}
      >
        {Object.entries(sortLabels).map(
          ([value, label]) =>
            (value !== "relevance" || hasQuery) && (
              <option key={value} value={value}>
                {label}
              </option>
            ),
        )}
      </select>
    </label>
  );
}
