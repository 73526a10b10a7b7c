import { useLocation } from "react-router";
import { LeftIcon, RightIcon } from "./icons/icons.tsx";
import { Link } from "./link.tsx";

type Props = {
  page: number;
  lastPage: number;
  /** The query parameter that contains the page number. */
  parameter?: string;
  /** Returns the path of a page, if it is not the current path with another page number. */
  pathOf?: (page: number) => string;
};

/**
 * The current query string with one number changed. 1 is the default of each number and is omitted. Any other link
 * than "Show more" drops `more`, the number of pages that "Show more" has added.
 */
export function withParameter(search: string, name: string, value: number): string {
  const next = new URLSearchParams(search);
  if (name !== "more") next.delete("more");
  if (value === 1 && name !== "more") next.delete(name);
  else next.set(name, String(value));
  return `?${next}`;
}

/** The first and the last page, and the pages around the current one. */
function pagesAround(page: number, lastPage: number): number[] {
  const near = [1, page - 1, page, page + 1, lastPage];
  return [...new Set(near.filter((one) => one >= 1 && one <= lastPage))].sort((a, b) => a - b);
}

export function Pager({ page, lastPage, parameter = "page", pathOf }: Props) {
  const { search } = useLocation();
  // A page past the end leads back to the last one.
  if (lastPage <= 1 && page <= 1) return null;
  const linkTo = pathOf ?? ((to: number) => withParameter(search, parameter, to));
  const pages = pagesAround(page, lastPage);
  return (
    <nav className="pager" aria-label="Pages">
      {page > 1 && (
        <Link to={linkTo(Math.min(page - 1, lastPage))} rel="prev">
          <LeftIcon />
          <span className="visually-hidden">Previous page</span>
        </Link>
      )}
      {pages.map((one, index) => (
        <PageLink
          key={one}
          page={one}
          isGap={one - (pages[index - 1] ?? one) > 1}
          isHere={one === page}
          to={linkTo(one)}
        />
      ))}
      {page < lastPage && (
        <Link to={linkTo(page + 1)} rel="next">
          <RightIcon />
          <span className="visually-hidden">Next page</span>
        </Link>
      )}
    </nav>
  );
}

type PageLinkProps = { page: number; isGap: boolean; isHere: boolean; to: string };

function PageLink({ page, isGap, isHere, to }: PageLinkProps) {
  return (
    <>
      {isGap && (
        <span className="pager-gap" aria-hidden="true">
          …
        </span>
      )}
      <Link to={to} aria-current={isHere ? "page" : undefined}>
        <span className="visually-hidden">Page </span>
        {page}
      </Link>
    </>
  );
}
