import { Form, Link } from "react-router";
import type { ListOrder, ListStatus } from "#app/domain/library/library.ts";
import { type ListQuery, listOrderLabels, listStatePath, tabSlug } from "#app/ui/list-query.ts";
import { GridIcon, ListIcon } from "./list-icons.tsx";
import { bulkFormId } from "./list-row.tsx";
import type { toListView } from "./list-view.server.ts";

type Counts = Pick<ReturnType<typeof toListView>, "counts" | "all">;

/** From the loader's counts: importing the enumeration would load all enumerations in the browser. */
export const statusesOf = (counts: Counts["counts"]) => Object.keys(counts) as ListStatus[];

export function ListTabs({ query, counts, all }: Counts & { query: ListQuery }) {
  const tabs = [
    { type: null, count: all },
    ...statusesOf(counts).map((type) => ({ type, count: counts[type] })),
  ];
  return (
    <nav className="list-tabs" aria-label="List statuses">
      {tabs.map(({ type, count }) => (
        <Link
          key={type ?? "all"}
          to={listStatePath({ ...query, type, page: 1 })}
          aria-current={query.type === type ? "page" : undefined}
          preventScrollReset
        >
          {type ?? "All"} <span className="numeric quiet">{count}</span>
        </Link>
      ))}
    </nav>
  );
}

export function ListTools({ query }: { query: ListQuery }) {
  const other = query.view === "grid" ? "list" : "grid";
  return (
    <div className="list-tools">
      <Form className="list-sort" onChange={(event) => event.currentTarget.requestSubmit()}>
        {query.type !== null && <input type="hidden" name="tab" value={tabSlug(query.type)} />}
        {query.view === "grid" && <input type="hidden" name="view" value="grid" />}
        <label className="field-name" htmlFor="sort">
          Sort by
        </label>
        <select className="select" id="sort" name="sort" key={query.order} defaultValue={query.order}>
          {(Object.keys(listOrderLabels) as ListOrder[]).map((order) => (
            <option key={order} value={order}>
              {listOrderLabels[order]}
            </option>
          ))}
        </select>
        <button className="button no-script-only" data-size="small" type="submit">
          Sort
        </button>
      </Form>
      <Link
        className="icon-button"
        to={listStatePath({ ...query, view: other })}
        aria-label={`Show as a ${other}`}
        preventScrollReset
      >
        {other === "grid" ? <GridIcon /> : <ListIcon />}
      </Link>
    </div>
  );
}

/** Changes all ticked rows. Their checkboxes belong to this form by its id. */
export function BulkBar({ types }: { types: readonly ListStatus[] }) {
  return (
    <Form method="post" id={bulkFormId} className="list-bulk" aria-label="Chosen titles" preventScrollReset>
      <span className="field-name">Chosen titles</span>
      <select className="select" name="type" aria-label="Move to">
        {types.map((type) => (
          <option key={type}>{type}</option>
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
