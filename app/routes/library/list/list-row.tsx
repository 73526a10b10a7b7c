import type { Ref } from "react";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { CloseIcon, IconLine, PlayIcon, StarIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { cardFactsText } from "#app/ui/titles/card.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import { EntryForm, entryFormId } from "./entry-form.tsx";
import type { EntryDetails, ListItem } from "./list-item.ts";
import { RowFields, type Status } from "./row-fields.tsx";

/** The id of the form for all ticked rows. The checkboxes of the rows belong to it. */
export const bulkFormId = "bulk";

export type RowProps = {
  item: ListItem;
  statuses: readonly Status[];
  /** Set for the entry that is being edited. */
  details: EntryDetails | null;
  /** This page with the entry's controls open, or closed if they are open. */
  editPath: string;
  closePath: string;
  /** Gets the element of the open controls in which the notice of an edit stands. */
  noticeRef: Ref<HTMLElement>;
  /** Null unless the member is choosing rows. */
  tick: { isTicked: boolean } | null;
};

/** One entry in a line. Its controls are below the line while it is edited. */
export function ListRow({ item, statuses, details, editPath, closePath, noticeRef, tick }: RowProps) {
  const { malId, name, watch } = item;
  return (
    // The id is on the row and not on the form, so that a browser that scrolls to it shows the title too.
    <li ref={useFocusPassedOn()} className="list-row" id={details ? entryFormId : undefined}>
      {tick && (
        <input
          className="tick"
          type="checkbox"
          form={bulkFormId}
          name={`title-${malId}`}
          // The key is needed because a changed default does not change a checkbox.
          key={`${tick.isTicked}`}
          defaultChecked={tick.isTicked}
          aria-label={`Choose ${name}`}
        />
      )}
      <RowLink item={item} statuses={statuses} />
      {watch ? (
        <Link
          className="icon-button"
          to={watch.path}
          aria-label={`${watch.label}: ${name}`}
          title={watch.label}
        >
          <PlayIcon />
        </Link>
      ) : (
        <span className="icon-button list-row-no-watch" />
      )}
      <Link
        className="icon-button"
        to={details ? closePath : editPath}
        aria-label={`${details ? "Close" : "Edit"} ${name}`}
        preventScrollReset
      >
        {details ? <CloseIcon /> : <EditRowIcon />}
      </Link>
      {details && (
        <div className="list-row-open">
          <div>
            <RowFields item={item} statuses={statuses} />
            <div ref={noticeRef as Ref<HTMLDivElement>} />
          </div>
          <EntryForm details={details} name={name} closePath={closePath} />
        </div>
      )}
    </li>
  );
}

type RowLinkProps = Pick<RowProps, "item" | "statuses">;

function RowLink({ item, statuses }: RowLinkProps) {
  const { malId, path, name, lang, drawnIn, status, progress, episodes, scoreText } = item;
  return (
    <Link className="list-row-title" to={path}>
      <Poster malId={malId} drawnIn={drawnIn} sizes="40px" />
      <span className="list-row-text">
        <span className="list-row-name" lang={lang}>
          {name}
        </span>
        <span className="quiet">{cardFactsText({ ...item, type: item.titleType })}</span>
      </span>
      <span className="list-row-more">
        <span className="list-row-wide">{item.genres}</span>
        {item.marks !== "" && <span className="list-row-marks">{item.marks}</span>}
      </span>
      <span className="list-row-wide list-row-dates">{item.dates}</span>
      <span className="list-row-state">
        <span>{statuses.find(({ value }) => value === status)?.label ?? status}</span>
        <span className="numeric">
          {/* A title can be completed without a count of its episodes. */}
          {status === "Completed" && progress === 0 ? null : (
            <>
              {progress} / {episodes ?? "?"}
            </>
          )}
        </span>
        <span className="numeric list-row-score">
          {scoreText !== null && (
            <>
              <StarIcon />
              <span className="visually-hidden">My score </span>
              {scoreText}
            </>
          )}
        </span>
      </span>
    </Link>
  );
}

const EditRowIcon = () => <IconLine d="M4.5 19.5v-4L15 5l4 4L8.5 19.5zM13 7l4 4" />;
