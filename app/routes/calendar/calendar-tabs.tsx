import { useLocation } from "react-router";
import { schedulePath, seasonsPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";

/** The two pages that share an item of the phone's bottom bar. */
export function CalendarTabs() {
  const { pathname } = useLocation();
  return (
    <nav className="list-tabs calendar-tabs" aria-label="Schedule and seasons">
      {[
        { to: schedulePath(), label: "Schedule" },
        { to: seasonsPath(), label: "Seasons" },
      ].map(({ to, label }) => (
        <Link key={to} to={to} aria-current={pathname.startsWith(to) ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
