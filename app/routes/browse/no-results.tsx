import { Link } from "react-router";

type Suggestion = { label: string; to: string; total: number };

type Props = {
  title: string;
  /** Each with what would be found without it. */
  drop: readonly Suggestion[];
  clear?: string;
  notice?: string | undefined;
};

/** Nothing found: which one condition to give up, and what that would bring. */
export function NoResults({ title, drop, clear, notice }: Props) {
  const useful = drop.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
  return (
    <div className="empty">
      <h2>{title}</h2>
      {notice !== undefined && <p className="lead">{notice}</p>}
      {useful.length > 0 && (
        <>
          <p className="lead">Drop one filter and there is something:</p>
          <ul className="empty-list">
            {useful.map(({ label, to, total }) => (
              <li key={to}>
                <Link className="empty-choice" to={to} preventScrollReset>
                  <span>
                    Without <b>{label}</b>
                  </span>
                  <span className="numeric">{total.toLocaleString("en")}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {clear !== undefined && (
        <Link className="button" to={clear}>
          Clear all filters
        </Link>
      )}
    </div>
  );
}
