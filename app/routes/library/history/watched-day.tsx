import { Form } from "react-router";
import { watchPath } from "#app/paths.ts";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";
import { PlayIcon, TrashIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import type { HistoryDay, WatchedTitle } from "./history-page.server.ts";

/** The titles that were watched on one day. */
export function Day({ day: { date, label, titles } }: { day: HistoryDay }) {
  return (
    <section className="history-day" aria-label={label}>
      <div className="history-head">
        <h3>{label}</h3>
        <Remove intent="day" label={`Remove ${label}`} fields={{ date }} isSmall />
      </div>
      <ul>
        {titles.map((title) => (
          <WatchedRow key={`${title.malId}/${title.items[0]?.ep}`} title={title} />
        ))}
      </ul>
    </section>
  );
}

function WatchedRow({ title: { malId, name, lang, drawnIn, path, watch, items } }: { title: WatchedTitle }) {
  return (
    <li className="history-title">
      <Link className="history-poster" to={path} tabIndex={-1} aria-hidden="true">
        <Poster malId={malId} drawnIn={drawnIn} sizes="72px" />
      </Link>
      <div className="history-title-head">
        <Link className="list-row-name" to={path} lang={lang}>
          {name}
        </Link>
        {watch && (
          <Link className="button" data-size="small" to={watch.path}>
            <PlayIcon />
            {watch.label}
            <span className="visually-hidden">: {name}</span>
          </Link>
        )}
      </div>
      <ul className="history-episodes">
        {items.map(({ ep, name: episode, time }) => (
          <li key={ep} className="history-row">
            <Link className="history-episode" to={watchPath(malId, ep)}>
              {episode === null ? <span className="visually-hidden">{name}</span> : <span>{episode}</span>}
              <span className="quiet numeric">{time}</span>
            </Link>
            <Remove
              intent="episode"
              label={episode === null ? `Remove ${name}` : `Remove ${name}, ${episode}`}
              fields={{ mal_id: String(malId), ep: String(ep) }}
              isSmall
            />
          </li>
        ))}
      </ul>
    </li>
  );
}

type RemoveProps = { intent: string; label: string; fields?: Record<string, string>; isSmall?: boolean };

/** A form of one button that deletes what `intent` and `fields` say. */
export function Remove({ intent, label, fields = {}, isSmall = false }: RemoveProps) {
  return (
    <Form method="post" preventScrollReset>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <VanishingButton
        className={isSmall ? "icon-button" : "button"}
        data-kind="ghost"
        data-size="small"
        name="intent"
        value={intent}
        aria-label={isSmall ? label : undefined}
      >
        {isSmall ? <TrashIcon /> : label}
      </VanishingButton>
    </Form>
  );
}
