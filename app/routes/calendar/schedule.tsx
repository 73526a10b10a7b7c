import { Form, useLocation } from "react-router";
import { getVisit } from "#app/access/viewer.server.ts";
import { addDays, dateIn, mondayOf, parseDate, weekBounds } from "#app/domain/calendar/calendar.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { listAirings } from "#app/domain/discovery/discovery.server.ts";
import { findTitleEntries } from "#app/domain/library/library.server.ts";
import { isFollowed } from "#app/domain/library/library.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { browsePath, schedulePath, visitorPath } from "#app/paths.ts";
import { dayText, shortDateText, timeZoneLabel } from "#app/routes/views/date-format.server.ts";
import { noTitleText } from "#app/routes/views/nothing-here.server.ts";
import { listZonesWith } from "#app/routes/views/time-zones.server.ts";
import { toOwnCards } from "#app/routes/views/title-views.server.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { CloseIcon, LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardRow } from "#app/ui/titles/row.tsx";
import type { Route } from "./+types/schedule";
import { CalendarTabs } from "./calendar-tabs.tsx";
import { toScheduleWeek } from "./week.server.ts";
import { useChosenDay, WeekGrid } from "./week-grid.tsx";

const maxWithoutSlot = 18;

export const middleware: Route.MiddlewareFunction[] = [cachedPage({ week: "first", mine: "first" })];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { user, preferences, viewer, timeZone } = await getVisit(request, context);
  const { searchParams } = url;
  const now = new Date();
  const thisMonday = mondayOf(dateIn(now, timeZone));
  const requestedDate = parseDate(searchParams.get("week") ?? "");
  const monday = requestedDate === null ? thisMonday : mondayOf(requestedDate);
  const { from, until } = weekBounds(monday, timeZone);
  const onlyMine = user !== null && searchParams.get("mine") === "1";
  const all = await listAirings(from, until, viewer);
  const mine = user === null ? new Set<number>() : await listFollowed(user.id, all);
  const isShown = (title: Title) => !onlyMine || mine.has(title.malId);
  const airings = all.airings.filter(({ title }) => isShown(title));
  const unslotted = all.unslotted.filter(isShown).slice(0, maxWithoutSlot);
  const language = preferences.titleLanguage;
  const airs = unslotted.length > 0 ? "has a fixed time" : "airs";
  const days = toScheduleWeek(monday, airings, { timeZone, language, now, mine });
  const sunday = addDays(monday, 6);
  const isOfThisYear = sunday.slice(0, 4) === dateIn(now, timeZone).slice(0, 4);
  return {
    days,
    lastDay: (isOfThisYear ? dayText : shortDateText)(new Date(sunday)),
    isThisWeek: monday === thisMonday,
    ...linksOf(monday, { isThisWeek: monday === thisMonday, onlyMine }),
    hasMine: user !== null,
    onlyMine,
    timeZone,
    zones: listZonesWith(timeZone),
    isZoneKnown: preferences.timeZone !== null,
    zone: timeZoneLabel(timeZone),
    emptyText: days.some(({ items }) => items.length > 0)
      ? null
      : onlyMine
        ? `No title on your list ${airs} in this week.`
        : await noTitleText(`that ${airs} in this week`, user),
    withoutSlot: await toOwnCards({ titles: unslotted }, { user, preferences }),
  };
}

/** The titles of the week that the member watches or plans to watch. */
async function listFollowed(userId: string, { airings, unslotted }: Awaited<ReturnType<typeof listAirings>>) {
  const ids = new Set([...airings.map(({ title }) => title), ...unslotted].map(({ malId }) => malId));
  const entries = await findTitleEntries(userId, [...ids]);
  return new Set([...entries].filter(([, entry]) => isFollowed(entry)).map(([malId]) => malId));
}

/** The links to the previous and the next week, and to this week with all titles or only the member's own. */
function linksOf(monday: string, { isThisWeek, onlyMine }: { isThisWeek: boolean; onlyMine: boolean }) {
  const pathOf = (week: string | null, mine: boolean) => {
    const search = `${new URLSearchParams({ ...(week && { week }), ...(mine && { mine: "1" }) })}`;
    return schedulePath() + (search && `?${search}`);
  };
  return {
    previous: pathOf(addDays(monday, -7), onlyMine),
    next: pathOf(addDays(monday, 7), onlyMine),
    now: pathOf(null, onlyMine),
    other: pathOf(isThisWeek ? null : monday, !onlyMine),
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
  const { now, other, hasMine, onlyMine, emptyText, lastDay } = loaderData;
  const { pathname, search } = useLocation();
  const chosen = useChosenDay(days);
  return (
    <div className="wrap page">
      <CalendarTabs />
      <header className="page-head">
        <div>
          <h1>Schedule</h1>
          <p className="lead">
            {days[0]?.label} to {lastDay}, in {zone}.{" "}
            <a className="link" href="#time-zone">
              {isZoneKnown ? "Change" : "Choose your own time zone"}
            </a>
          </p>
        </div>
        <nav className="week-nav" aria-label="Weeks">
          {hasMine && (
            <Link
              className="chip"
              data-on={onlyMine || undefined}
              to={chosen === undefined ? other : `${other}#day-${chosen}`}
              preventScrollReset
            >
              <span>Only my list</span>
              {onlyMine && (
                <>
                  <CloseIcon />
                  <span className="visually-hidden">, show all titles</span>
                </>
              )}
            </Link>
          )}
          <span className="week-steps">
            <Link className="button" data-size="small" to={previous} preventScrollReset>
              <LeftIcon />
              <span className="week-step">
                Previous<span className="visually-hidden"> week</span>
              </span>
            </Link>
            {isThisWeek && emptyText === null && (
              <a className="button" data-size="small" href="#now">
                Now
              </a>
            )}
            {!isThisWeek && (
              <Link className="button" data-size="small" to={now} preventScrollReset>
                This week
              </Link>
            )}
            <Link className="button" data-size="small" to={next} preventScrollReset>
              <span className="week-step">
                Next<span className="visually-hidden"> week</span>
              </span>
              <RightIcon />
            </Link>
          </span>
        </nav>
      </header>
      {emptyText !== null ? (
        <div className="empty">
          <h2>No broadcasts in this week</h2>
          <p className="lead">{emptyText}</p>
        </div>
      ) : (
        <WeekGrid days={days} chosen={chosen} />
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
