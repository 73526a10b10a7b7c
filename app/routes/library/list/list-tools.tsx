import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import type { ListOrder } from "#app/domain/library/library.ts";
import { IconLine } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useSyncedField } from "#app/ui/watch-list/synced-field.ts";
import { type ListQuery, listOrderLabels, listQueryPath, tabSlug } from "#app/wire/list-query.ts";
import { bulkFormId } from "./list-row.tsx";
import type { ListChoicesView } from "./list-view.server.ts";

type Statuses = ListChoicesView["statuses"];

/** A state has a tab only while an entry has it. */
export function ListTabs({ query, statuses, all }: { query: ListQuery; statuses: Statuses; all: number }) {
  const isTab = ({ value, count, isState }: Statuses[number]) =>
    count > 0 || value === query.status || !isState;
  const tabs = [{ value: null, label: "All", count: all }, ...statuses.filter(isTab)];
  const line = useRef<HTMLElement>(null);
  // Narrow screens show part of the line. The page itself must not scroll.
  useEffect(() => {
    const current = line.current?.querySelector<HTMLElement>(`[data-status="${query.status ?? ""}"]`);
    if (!line.current || !current) return;
    line.current.scrollLeft = current.offsetLeft - (line.current.clientWidth - current.offsetWidth) / 2;
  }, [query.status]);
  return (
    <nav className="list-tabs" aria-label="List statuses" ref={line}>
      {tabs.map(({ value, label, count }) => (
        <Link
          key={label}
          data-status={value ?? ""}
          to={listQueryPath({ ...query, status: value, page: 1, edit: null, isAllTicked: false })}
          aria-current={query.status === value ? "page" : undefined}
          preventScrollReset
        >
          {label} <span className="numeric quiet">{count}</span>
        </Link>
      ))}
    </nav>
  );
}

/** The member's own tags as links. Pressing the chosen tag again shows the whole list. */
export function TagTabs({ query, tags }: { query: ListQuery; tags: ListChoicesView["tags"] }) {
  if (tags.length === 0) return null;
  return (
    <nav className="chips list-tags" aria-label="My tags">
      {tags.slice(0, maxTagTabs).map(({ value, count }) => (
        <Link
          key={value}
          className="chip"
          to={listQueryPath({
            ...query,
            tag: query.tag === value ? null : value,
            page: 1,
            edit: null,
            isAllTicked: false,
          })}
          aria-current={query.tag === value ? "page" : undefined}
          preventScrollReset
        >
          <span>{value}</span>
          <span className="numeric quiet">{count}</span>
        </Link>
      ))}
    </nav>
  );
}

/** The tag filter offers more tags. */
const maxTagTabs = 24;

export function ListFilterForm({ query, choices }: { query: ListQuery; choices: ListChoicesView }) {
  const active = [query.format, query.genre, query.year, query.tag].filter((one) => one !== null).length;
  return (
    <Form className="list-filters" role="search" aria-label="My list" autoComplete="off">
      {query.status !== null && <input type="hidden" name="tab" value={tabSlug(query.status)} />}
      {query.view === "grid" && <input type="hidden" name="view" value="grid" />}
      <input
        className="input"
        type="search"
        name="q"
        {...useSyncedField<HTMLInputElement>(query.words, "keep")}
        placeholder="Search my list"
        aria-label="Search my list"
        maxLength={200}
      />
      <Choice name="sort" label="Sort by" value={query.order} options={orders} />
      <MoreFilters query={query} choices={choices} active={active} />
      <button className="button no-script-only" type="submit">
        Show
      </button>
      {(active > 0 || query.words !== "") && (
        <Link
          className="link"
          to={listQueryPath({ status: query.status, order: query.order, view: query.view })}
        >
          Clear filters
        </Link>
      )}
    </Form>
  );
}

type MoreFiltersProps = { query: ListQuery; choices: ListChoicesView; active: number };

function MoreFilters({ query, choices, active }: MoreFiltersProps) {
  // Closing after the last filter is removed would take the focus from its field.
  const [isOpen, setOpen] = useState(active > 0);
  if (active > 0 && !isOpen) setOpen(true);
  return (
    <details className="list-filters-more" open={isOpen}>
      <summary className="link">Filters{active > 0 && ` (${active})`}</summary>
      <div>
        <Choice
          name="format"
          label="Format"
          value={query.format}
          options={choices.formats}
          any="Any format"
        />
        <Choice name="genre" label="Genre" value={query.genre} options={choices.genres} any="Any genre" />
        <Choice name="year" label="Year" value={query.year} options={choices.years} any="Any year" />
        {choices.tags.length > 0 && (
          <Choice name="tag" label="Tag" value={query.tag} options={choices.tags} any="Any tag" />
        )}
      </div>
    </details>
  );
}

const orders = (Object.keys(listOrderLabels) as ListOrder[]).map((value) => ({
  value,
  label: listOrderLabels[value],
}));

type ChoiceProps = {
  name: string;
  label: string;
  value: string | number | null;
  options: readonly { value: string; label: string; count?: number }[];
  any?: string;
};

function Choice({ name, label, value, options, any }: ChoiceProps) {
  return (
    <select
      className="select"
      name={name}
      aria-label={label}
      {...useSyncedField<HTMLSelectElement>(value ?? "", "send")}
      onChange={(event) => event.currentTarget.form?.requestSubmit()}
    >
      {any !== undefined && <option value="">{any}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
          {option.count !== undefined && ` (${option.count})`}
        </option>
      ))}
    </select>
  );
}

/** Switches between rows and cards, and shows the checkboxes of the rows. */
export function ViewSwitch({ query }: { query: ListQuery }) {
  const other = query.view === "grid" ? "list" : "grid";
  const closed = { ...query, edit: null, isAllTicked: false };
  return (
    <p className="list-views">
      {query.view === "list" && (
        <Link
          className="link"
          to={listQueryPath({ ...closed, isChoosing: !query.isChoosing })}
          preventScrollReset
        >
          {query.isChoosing ? "Done" : "Select several"}
        </Link>
      )}
      <Link
        className="icon-button"
        to={listQueryPath({ ...closed, view: other, isChoosing: false })}
        aria-label={`Show as a ${other}`}
        preventScrollReset
      >
        {other === "grid" ? <GridIcon /> : <ListIcon />}
      </Link>
    </p>
  );
}

type BulkProps = { query: ListQuery; statuses: Statuses; count: number };

/** Changes all ticked rows. Their checkboxes belong to this form by its id. */
export function BulkBar({ query, statuses, count }: BulkProps) {
  return (
    <Form
      method="post"
      // The rows that take the place of moved ones are not ticked.
      action={listQueryPath({ ...query, isChoosing: true, isAllTicked: false })}
      id={bulkFormId}
      className="list-bulk"
      aria-label="Selected titles"
      preventScrollReset
      replace
    >
      <Link
        className="link"
        to={listQueryPath({ ...query, isChoosing: true, isAllTicked: !query.isAllTicked })}
        onClick={() => tickAll(!query.isAllTicked)}
        preventScrollReset
        replace
      >
        {query.isAllTicked ? "Select none" : `Select all ${count}`}
      </Link>
      <select className="select" name="type" aria-label="Move to">
        {statuses.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button className="button" data-size="small" type="submit" name="intent" value="bulk-move">
        Move
      </button>
      <button
        className="button"
        data-kind="ghost"
        data-size="small"
        type="submit"
        name="intent"
        value="bulk-remove"
      >
        Remove
      </button>
    </Form>
  );
}

/** Without waiting for the page with all rows ticked, to which the link leads. */
function tickAll(isTicked: boolean) {
  for (const tick of document.querySelectorAll<HTMLInputElement>(`.tick[form="${bulkFormId}"]`))
    tick.checked = isTicked;
}

const GridIcon = () => <IconLine d="M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z" />;
const ListIcon = () => <IconLine d="M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.5M4 12h.5M4 17.5h.5" />;
