import { memo, useLayoutEffect, useRef } from "react";
import { Link } from "#app/ui/link.tsx";
import { cardFactsText } from "#app/ui/titles/card.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import { EntryForm } from "./entry-form.tsx";
import type { EntryDetails, ListItem } from "./list-item.ts";
import { RowFields, RowSummary, type Status } from "./row-fields.tsx";

/** The id of the form for all ticked rows. The checkboxes of the rows belong to it. */
export const bulkFormId = "bulk";

type RowProps = {
  item: ListItem;
  statuses: readonly Status[];
  /** Set for the entry that is being edited. */
  details: EntryDetails | null;
  /** This page with the entry's details open. */
  editPath: string;
  /** This page with the details closed. */
  closePath: string;
  isTicked: boolean;
  /** False while the row shows text instead of fields. Scripts add the fields later. */
  hasFields: boolean;
};

/** One entry, edited in place. Memoized, so that it does not render again while other rows get their fields. */
export const ListRow = memo(function ListRow({
  item,
  statuses,
  details,
  editPath,
  closePath,
  isTicked,
  hasFields,
}: RowProps) {
  const { malId, path, name, lang } = item;
  const isOpen = details !== null;
  const fields = (
    <RowFields item={item} statuses={statuses} path={isOpen ? closePath : editPath} isOpen={isOpen} />
  );
  return (
    <li ref={useFocusAfterRemoval()} className="list-row">
      <input
        className="tick"
        type="checkbox"
        form={bulkFormId}
        name={`title-${malId}`}
        // The key is needed because a changed default does not change a checkbox.
        key={`${isTicked}`}
        defaultChecked={isTicked}
        aria-label={`Choose ${name}`}
      />
      <Link className="list-row-title" to={path}>
        <Poster malId={malId} sizes="48px" />
        <span className="list-row-text">
          <span className="list-row-name" lang={lang}>
            {name}
          </span>
          <span className="quiet">{cardFactsText({ ...item, type: item.titleType })}</span>
          <span className="list-row-more">
            <span className="list-row-wide">{item.genres}</span>
            {item.marks !== "" && <span className="list-row-marks">{item.marks}</span>}
          </span>
          <span className="list-row-wide list-row-dates">{item.dates}</span>
        </span>
      </Link>
      {hasFields || isOpen ? (
        fields
      ) : (
        <>
          <noscript>{fields}</noscript>
          <RowSummary item={item} statuses={statuses} />
        </>
      )}
      {details && <EntryForm details={details} name={name} closePath={closePath} />}
    </li>
  );
});

/** Moves the focus to the neighbour of a removed row. Without it, the browser moves it to the top of the page. */
function useFocusAfterRemoval() {
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const removed = row.current;
    return () => {
      if (!removed?.contains(document.activeElement)) return;
      const next = removed.nextElementSibling ?? removed.previousElementSibling;
      next?.querySelector("a")?.focus();
    };
  }, []);
  return row;
}
