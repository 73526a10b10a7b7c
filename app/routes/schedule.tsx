import { Form, Link, useLocation } from "react-router";
import { addDays, dateIn, mondayOf, parseDate, weekBounds } from "#app/domain/calendar/calendar.ts";
import { listAirings } from "#app/domain/catalog/catalog.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import { ChoiceSelect } from "#app/ui/choice-select.tsx";
import { LeftIcon, RightIcon } from "#app/ui/icons.tsx";
import { zoneName } from "#app/ui/moments.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { CardRow } from "#app/ui/row.tsx";
import { zonesWith } from "#app/ui/time-zones.ts";
import { toCard } from "#app/ui/title-views.ts";
import { weekOf } from "#app/ui/week.ts";
import { WeekGrid } from "#app/ui/week-grid.tsx";
import type { Route } from "./+types/schedule";

const mostUnslotted = 18;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { preferences, showsMature, timeZone } = await viewerOf(request, context);
  const now = new Date();
  const thisMonday = mondayOf(dateIn(now, timeZone));
  const asked = parseDate(new URL(request.url).searchParams.get("week") ?? "");
  const monday = asked === null ? thisMonday : mondayOf(asked);
  const { from, until } = weekBounds(monday, timeZone);
  const { airings, unslotted } = await listAirings(from, until, showsMature);
  const language = preferences.titleLanguage;
  const days = weekOf(monday, airings, { timeZone, language, now });
  return {
    days,
    isThisWeek: monday === thisMonday,
    previous: addDays(monday, -7),
    next: addDays(monday, 7),
    timeZone,
    zones: zonesWith(timeZone),
    isZoneKnown: preferences.timeZone !== null,
    zone: zoneName(timeZone),
    withoutSlot: unslotted.slice(0, mostUnslotted).map((anime) => toCard(anime, language)),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Schedule",
    description: "What is on this week, day by day, in your own time zone.",
    path: "/schedule",
  });

export default function Schedule({ loaderData }: Route.ComponentProps) {
  const { days, isThisWeek, previous, next, timeZone, zones, isZoneKnown, zone, withoutSlot } = loaderData;
  const { pathname, search } = useLocation();
  const first = days[0];
  const last = days[6];
  const isEmpty = days.every(({ items }) => items.length === 0);
  return (
    <div className="wrap page">
      <header className="page-head">
        <div>
          <h1>Schedule</h1>
          <p className="lead">
            {first?.label} to {last?.label}, in {zone}
            {!isZoneKnown && " until you choose your own"}
          </p>
        </div>
        <Form className="zone-form" method="post" action="/visitor" preventScrollReset>
          <input type="hidden" name="redirectTo" value={pathname + search} />
          <ChoiceSelect label="Time zone" name="timeZone" chosen={timeZone} choices={zones} isInstant />
          <button className="button no-script-only" data-size="small" type="submit">
            Apply
          </button>
        </Form>
      </header>
      <nav className="week-nav" aria-label="Weeks">
        <Link className="button" data-size="small" to={`?week=${previous}`} preventScrollReset>
          <LeftIcon />
          Previous<span className="visually-hidden"> week</span>
        </Link>
        {!isThisWeek && (
          <Link className="button" data-size="small" to="/schedule" preventScrollReset>
            This week
          </Link>
        )}
        <Link className="button" data-size="small" to={`?week=${next}`} preventScrollReset>
          Next<span className="visually-hidden"> week</span>
          <RightIcon />
        </Link>
      </nav>
      {isEmpty ? (
        <div className="empty">
          <h2>Nothing is known of this week</h2>
          <p className="lead">The catalog holds no title with a slot in these days.</p>
        </div>
      ) : (
        <WeekGrid days={days} />
      )}
      {withoutSlot.length > 0 && (
        <CardRow title="Airing without a fixed time" titles={withoutSlot} more="/browse?status=airing" />
      )}
    </div>
  );
}
