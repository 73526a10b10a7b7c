import { CloseIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";

type ChosenFilter = { key: string; label: string; to: string };

type Props = { chosen: readonly ChosenFilter[]; clear: string };

export function ChosenFilters({ chosen, clear }: Props) {
  if (chosen.length === 0) return null;
  return (
    <ul className="chips browse-chosen" aria-label="Chosen filters">
      {chosen.map(({ key, label, to }) => (
        <li key={key}>
          <Link className="chip" data-on to={to} preventScrollReset>
            <span>{label}</span>
            <CloseIcon />
            <span className="visually-hidden">, remove filter</span>
          </Link>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <Link className="chip" to={clear} preventScrollReset>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}
