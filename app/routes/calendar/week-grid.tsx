import { Fragment, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Link } from "#app/ui/link.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import type { ScheduledDay, ScheduledItem } from "./week.server.ts";

/** Seven columns on wide screens. Narrow screens show one day, with links to the others. */
export function WeekGrid({ days, chosen }: { days: readonly ScheduledDay[]; chosen: string | undefined }) {
  // The style sheet makes the same choice.
  const current = chosen ?? (days.find(({ isToday }) => isToday) ?? days[0])?.date;
  return (
    <div className="week-frame">
      <nav className="day-strip" aria-label="Days">
        {days.map(({ date, weekday, label, isToday }) => (
          <a
            key={date}
            href={`#day-${date}`}
            data-today={isToday || undefined}
            aria-current={date === current ? "date" : undefined}
          >
            <b>{weekday.slice(0, 3)}</b>
            <span>{label.split(" ")[0]}</span>
          </a>
        ))}
      </nav>
      <div className="week">
        {days.map((day) => (
          <Day key={day.date} day={day} />
        ))}
      </div>
    </div>
  );
}

/** The day of the fragment. The server does not get the fragment, so it is read after hydration. */
export function useChosenDay(days: readonly ScheduledDay[]): string | undefined {
  const { hash } = useLocation();
  const [chosen, setChosen] = useState<string>();
  useEffect(() => setChosen(days.find(({ date }) => hash === `#day-${date}`)?.date), [days, hash]);
  return chosen;
}

function Day({ day }: { day: ScheduledDay }) {
  const { date, weekday, label, isToday, isPast, items } = day;
  const nextUp = isToday ? items.findIndex(({ isPast }) => !isPast) : -1;
  return (
    <section
      className="day"
      id={`day-${date}`}
      data-today={isToday || undefined}
      data-past={isPast || undefined}
      aria-labelledby={`name-${date}`}
    >
      <h2 id={`name-${date}`}>
        {weekday} <span className="quiet">{isToday ? "Today" : label}</span>
      </h2>
      {items.length === 0 ? (
        <>
          {isToday && <NowLine />}
          <p className="quiet">No broadcasts</p>
        </>
      ) : (
        <ol>
          {items.map((item, index) => (
            <Fragment key={`${item.malId} ${item.iso}`}>
              {index === nextUp && <NowItem />}
              <li>
                <Airing item={item} />
              </li>
            </Fragment>
          ))}
          {isToday && nextUp === -1 && <NowItem />}
        </ol>
      )}
    </section>
  );
}

const NowLine = () => (
  <p className="now-line" id="now" tabIndex={-1}>
    Now
  </p>
);

const NowItem = () => (
  <li className="now-item">
    <NowLine />
  </li>
);

function Airing({ item }: { item: ScheduledItem }) {
  const { malId, path, name, lang, drawnIn, episode, iso, time, inJapan, soon, isPast, isMine } = item;
  return (
    <Link className="airing" data-past={isPast || undefined} data-mine={isMine || undefined} to={path}>
      <span className="airing-poster">
        <Poster malId={malId} drawnIn={drawnIn} sizes="56px" />
      </span>
      <span className="airing-text">
        <time className="airing-time numeric" dateTime={iso}>
          {time}
          {inJapan !== null && <span className="quiet"> {inJapan} JST</span>}
        </time>
        {soon !== null && <span className="airing-soon numeric">{soon}</span>}
        <span className="airing-name" lang={lang}>
          {name}
        </span>
        <span className="quiet numeric">
          {[episode !== null && `Ep ${episode}`, isMine && "In my list"].filter(Boolean).join(" · ")}
        </span>
      </span>
    </Link>
  );
}
