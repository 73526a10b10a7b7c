import { Form, Link, useLocation } from "react-router";
import { getVisit } from "#app/api/access/viewer.server.ts";
import { addDays, dateIn, mondayOf, parseDate, weekBounds } from "#app/domain/calendar/calendar.ts";
import { listAirings } from "#app/domain/discovery/discovery.server.ts";
import { browsePath, schedulePath, visitorPath } from "#app/paths.ts";
import { timeZoneLabel } from "#app/ui/date-format.server.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { listZonesWith } from "#app/ui/time-zones.server.ts";
import { CardRow } from "#app/ui/titles/row.tsx";
import { toTitleCard } from "#app/ui/titles/title-views.server.ts";
import type { Route } from "./+types/schedule";
import { toScheduleWeek } from "./week.server.ts";
import { WeekGrid } from "./week-grid.tsx";

const maxWithoutSlot = 18;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { preferences, viewer, timeZone } = await getVisit(request, context);
  const now = new Date();
  const thisMonday = mondayOf(dateIn(now, timeZone));
  const requestedDate = parseDate(new URL(request.url).searchParams.get("week") ?? "");
  const monday = requestedDate === null ? thisMonday : mondayOf(requestedDate);
  const { from, until } = weekBounds(monday, timeZone);
  const { airings, unslotted } = await listAirings(from, until, viewer);
  const language = preferences.titleLanguage;
  const days = toScheduleWeek(monday, airings, { timeZone, language, now });
  return {
    days,
    isThisWeek: monday === thisMonday,
    previous: addDays(monday, -7),
    next: addDays(monday, 7),
    timeZone,
    zones: listZonesWith(timeZone),
    isZoneKnown: preferences.timeZone !== null,
    zone: timeZoneLabel(timeZone),
    withoutSlot: unslotted.slice(0, maxWithoutSlot).map((title) => toTitleCard(title, language)),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Schedule",
    description: "What is on this week, day by day, in your own time zone.",
    path: schedulePath(),
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
            {first?.label} to {last?.label}, in {zone}.{" "}
            <a className="link" href="#time-zone">
              {isZoneKnown ? "Change" : "Choose your own time zone"}
            </a>
          </p>
        </div>
        <nav className="week-nav" aria-label="Weeks">
          <Link className="button" data-size="small" to={`?week=${previous}`} preventScrollReset>
            <LeftIcon />
            Previous<span className="visually-hidden"> week</span>
          </Link>
          {!isThisWeek && (
            <Link className="button" data-size="small" to={schedulePath()} preventScrollReset>
              This week
            </Link>
          )}
          <Link className="button" data-size="small" to={`?week=${next}`} preventScrollReset>
            Next<span className="visually-hidden"> week</span>
            <RightIcon />
          </Link>
        </nav>
      </header>
      {isEmpty ? (
        <div className="empty">
          <h2>No broadcasts this week</h2>
          <p className="lead">The catalog has no title that airs in this week.</p>
        </div>
      ) : (
        <WeekGrid days={days} />
      )}
      <Form className="zone-form" id="time-zone" method="post" action={visitorPath()} preventScrollReset>
        <input type="hidden" name="redirectTo" value={pathname + search} />
        <ChoiceSelect label="Time zone" name="timeZone" chosen={timeZone} choices={zones} isInstant />
        <button className="button no-script-only" data-size="small" type="submit">
          Apply
        </button>
      </Form>
      {withoutSlot.length > 0 && (
        <CardRow
          title="Airing without a fixed time"
          titles={withoutSlot}
          more={browsePath("?status=airing")}
        />
      )}
    </div>
  );
}
