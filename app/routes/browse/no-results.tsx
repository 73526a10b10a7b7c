import { Link } from "#app/ui/link.tsx";

type Suggestion = { label: string; to: string; total: number };

type Props = {
  heading: string;
  text?: string | undefined;
  /** A link to the page where the reader can change this. */
  step?: { label: string; path: string } | undefined;
  /** Filters to remove, with the number of titles that each removal finds. */
  suggestions?: readonly Suggestion[];
  clear?: string;
};

/** Says that nothing was found, and which filter to remove to find titles. */
export function NoResults({ heading, text, step, suggestions = [], clear }: Props) {
  const useful = suggestions.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
  return (
    <div className="empty">
      <h2>{heading}</h2>
      {text !== undefined && <p className="lead">{text}</p>}
      {useful.length > 0 && (
        <>
          <p className="lead">Remove one of these filters to find titles:</p>
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
      {step && (
        <Link className="button" data-kind="primary" to={step.path}>
          {step.label}
        </Link>
      )}
      {clear !== undefined && (
        <Link className="button" to={clear}>
          Clear all filters
        </Link>
      )}
    </div>
  );
}
