import { Form, useLocation } from "react-router";
import { LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useSyncedField } from "#app/ui/watch-list/synced-field.ts";
import { detailsIn, withPart } from "./part-query.ts";

type Props = {
  page: number;
  lastPage: number;
  /** "13–24", one for each page. */
  parts: readonly string[];
};

/** Leads to the other episodes of a long title, and jumps to any of them. The page stays where it is. */
export function EpisodePager({ page, lastPage, parts }: Props) {
  const { search } = useLocation();
  const details = detailsIn(search);
  return (
    <nav className="episode-pager" aria-label="More episodes">
      {page > 1 && (
        <Link className="button" data-size="small" to={withPart(search, page - 1)} preventScrollReset replace>
          <LeftIcon />
          <span className="visually-hidden">Episodes </span>
          {parts[page - 2]}
        </Link>
      )}
      {/* On a reload, Firefox would fill in the choice from before, and it would be sent. */}
      <Form method="get" preventScrollReset replace autoComplete="off">
        {details && <input type="hidden" name="details" value={details} />}
        <select
          {...useSyncedField<HTMLSelectElement>(page, "send")}
          className="select"
          name="episodes"
          aria-label="Jump to episodes"
          onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
        >
          {parts.map((part, index) => (
            <option key={part} value={index + 1}>
              {part}
            </option>
          ))}
        </select>
        <button className="button no-script-only" data-size="small" type="submit">
          Show
        </button>
      </Form>
      {page < lastPage && (
        <Link className="button" data-size="small" to={withPart(search, page + 1)} preventScrollReset replace>
          <span className="visually-hidden">Episodes </span>
          {parts[page]}
          <RightIcon />
        </Link>
      )}
    </nav>
  );
}
