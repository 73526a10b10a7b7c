import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  page: number;
  lastPage: number;
  /** "13–24", one for each page. */
  parts: readonly string[];
};

/** Leads to the other episodes of a long title, and jumps to any of them. The page stays where it is. */
export function EpisodePager({ page, lastPage, parts }: Props) {
  const select = useRef<HTMLSelectElement>(null);
  // Follows a choice that was made before the scripts had loaded. React keeps it and calls no handler for it.
  useEffect(() => {
    if (select.current && select.current.value !== `${page}`) select.current.form?.requestSubmit();
  }, [page]);
  return (
    <nav className="episode-pager" aria-label="More episodes">
      {page > 1 && (
        <Link className="button" data-size="small" to={`?episodes=${page - 1}`} preventScrollReset replace>
          <LeftIcon />
          <span className="visually-hidden">Episodes </span>
          {parts[page - 2]}
        </Link>
      )}
      {/* On a reload, Firefox would fill in the choice from before, and the effect would follow it. */}
      <Form method="get" preventScrollReset replace autoComplete="off">
        <select
          ref={select}
          className="select"
          name="episodes"
          aria-label="Jump to episodes"
          key={page}
          defaultValue={page}
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
        <Link className="button" data-size="small" to={`?episodes=${page + 1}`} preventScrollReset replace>
          <span className="visually-hidden">Episodes </span>
          {parts[page]}
          <RightIcon />
        </Link>
      )}
    </nav>
  );
}
