import { memo, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Genre } from "#app/domain/catalog/catalog.ts";
import { browsePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { CloseIcon } from "#app/ui/icons/icons.tsx";
import { sortLabels } from "#app/wire/browse-choices.ts";
import { SourceAndLength, StudioField, TagFields, YearFields } from "./fact-fields.tsx";
import {
  type Fields as FormFields,
  hasEarlyChange,
  isChosen,
  isUnfinishedTag,
  type OwnChange,
  searchOf,
  showFields,
  sortYears,
  valueIn,
} from "./filter-fields.ts";
import { FilterSelect, type Options } from "./filter-select.tsx";
import { GenreChips } from "./genre-chips.tsx";

export const filterFormId = "filters";

/** The choices come with the page, so that the scripts need no list of them. */
type Props = {
  fields: FormFields;
  total: number;
  /** The first and the last year to choose from. */
  years: readonly [number, number];
  /** The choices for this viewer. For studios, only the largest. */
  offered: {
    genres: readonly Genre[];
    tags: readonly string[];
    studios: readonly string[];
  } & Record<
    "types" | "seasons" | "days" | "statuses" | "scores" | "ratings" | "sources" | "lengths",
    Options
  >;
  canHideMine: boolean;
};

const typingPauseMs = 400;

/** A plain GET form. With scripts, every change navigates at once. */
export function useFilterForm(fields: FormFields) {
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const navigate = useNavigate();
  const { search } = useLocation();
  const ownChange = useRef<OwnChange>(undefined);
  const isStart = useRef(true);

  // The address also changes without the form: by the Back button, or by what is pressed elsewhere, such as a filter's
  // chip or a suggestion of the search field. The form then shows what that address says.
  useEffect(() => {
    const onElsewhere = ({ target }: Event) => {
      const isOwn =
        target instanceof Element && (form.current?.contains(target) || isSortOf(form.current, target));
      if (!isOwn) ownChange.current = undefined;
    };
    const events = ["popstate", "click", "keydown"];
    for (const name of events) addEventListener(name, onElsewhere, true);
    return () => {
      for (const name of events) removeEventListener(name, onElsewhere, true);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new address
  useEffect(() => {
    if (form.current === null) return;
    if (isStart.current) {
      isStart.current = false;
      if (hasEarlyChange(form.current)) apply("field");
      return;
    }
    showFields(form.current, fields, ownChange.current);
  }, [search, fields]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = (change: OwnChange) => {
    clearTimeout(timer.current);
    if (form.current === null) return;
    sortYears(form.current);
    ownChange.current = change;
    navigate(browsePath(searchOf(form.current, change === "form")), { preventScrollReset: true });
  };
  const onChange = (event: { target: EventTarget }) => {
    clearTimeout(timer.current);
    // Half a word would be taken for another tag, so it is sent only by Enter.
    if (event.target instanceof HTMLInputElement && isUnfinishedTag(event.target)) return;
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (isTyping) timer.current = setTimeout(() => apply("field"), typingPauseMs);
    else apply("field");
  };
  return { form, apply, onChange };
}

/** The sort order belongs to the form, but is above the titles. */
const isSortOf = (form: HTMLFormElement | null, target: Element) => target.closest("select")?.form === form;

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
      // On a reload, browsers would fill in the filters from before, which would be taken for early changes.
      autoComplete="off"
      onChange={onChange}
      onSubmit={(event) => {
        event.preventDefault();
        apply("form");
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
          <span className="script-only">{`Show ${countText(total, "title")}`}</span>
          {/* The number of the filters that are chosen now is not known. */}
          <span className="no-script-only">Show titles</span>
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
        <TagFields fields={fields} tags={offered.tags} />
        <FormatToggles fields={fields} types={offered.types} />
        <YearFields fields={fields} years={years} />
        <div className="filters-pair">
          <FilterSelect name="season" label="Season" fields={fields} options={offered.seasons} />
          <FilterSelect name="day" label="Broadcast day" fields={fields} options={offered.days} />
        </div>
        <div className="filters-pair">
          <FilterSelect name="status" label="Status" fields={fields} options={offered.statuses} />
          <FilterSelect name="score" label="Score" fields={fields} options={offered.scores} />
        </div>
        <SourceAndLength fields={fields} sources={offered.sources} lengths={offered.lengths} />
        <FilterSelect name="rating" label="Age rating" fields={fields} options={offered.ratings} />
        <StudioField fields={fields} studios={offered.studios} />
        <Checks fields={fields} canHideMine={canHideMine} />
      </div>
    );
  },
  (before, now) => offeredKey(before) === offeredKey(now) && before.canHideMine === now.canHideMine,
);

const offeredKey = ({ offered: { genres, ratings, tags, studios } }: FieldsProps) =>
  [...genres, ...ratings, ...tags, ...studios].join();

function FormatToggles({ fields, types }: Pick<Props, "fields"> & { types: Options }) {
  return (
    <fieldset>
      <legend className="field-name">Format</legend>
      <div className="filters-types">
        {types.map(([slug, type]) => (
          <label className="toggle" key={type}>
            <input type="checkbox" name="type" value={slug} defaultChecked={isChosen(fields, "type", slug)} />
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
