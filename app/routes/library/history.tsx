import { Form, Link } from "react-router";
import { z } from "zod";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { mayShowMature } from "#app/domain/accounts/accounts.ts";
import {
  deleteSearches,
  deleteWatched,
  deleteWatchedBetween,
  listSearches,
  listWatched,
} from "#app/domain/library/library.server.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { spelledDate, spelledEpisode, spelledId, spelledMoment } from "#app/http/spellings.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import {
  dayBounds,
  distinctSearches,
  type HistoryDay,
  historyDays,
  type WatchedItem,
} from "#app/ui/history-page.ts";
import { TrashIcon } from "#app/ui/icons.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { Poster } from "#app/ui/poster.tsx";
import { watchPath } from "#app/ui/watch-path.ts";
import type { Route } from "./+types/history";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "History", description: "What you watched and searched for." });

const perPage = 100;
const searchesShown = 100;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = currentUser(context);
  const { timeZone } = await viewerOf(request, context);
  const before = spelledMoment.safeParse(url.searchParams.get("before")).data;
  const [watched, searches] = await Promise.all([
    listWatched(user.id, {
      limit: perPage,
      showMature: mayShowMature(user),
      before,
    }),
    listSearches(user.id, searchesShown),
  ]);
  return {
    days: historyDays(watched, timeZone),
    older: watched.length === perPage ? (watched.at(-1)?.watchedAt.toISOString() ?? null) : null,
    searches: distinctSearches(searches),
    isTracking: user.preferences.trackSearchHistory,
  };
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("episode"), mal_id: spelledId, ep: spelledEpisode }),
  z.object({ intent: z.literal("day"), date: spelledDate }),
  z.object({ intent: z.literal("everything") }),
  z.object({ intent: z.literal("search"), ids: z.string() }),
  z.object({ intent: z.literal("searches") }),
  z.object({ intent: z.literal("track"), on: z.enum(["1", "0"]) }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(change, request);
  if (!form.ok) return formFaults(form);
  const { timeZone } = await viewerOf(request, context);
  await changeHistory(currentUser(context).id, form.value, timeZone);
  return null;
}

async function changeHistory(userId: string, form: z.output<typeof change>, timeZone: string) {
  switch (form.intent) {
    case "episode":
      return deleteWatched(userId, { malId: form.mal_id, episode: form.ep });
    case "day":
      return deleteWatchedBetween(userId, dayBounds(form.date, timeZone));
    case "everything":
      return deleteWatched(userId, {});
    case "search":
      for (const one of form.ids.split(","))
        if (z.uuid().safeParse(one).success) await deleteSearches(userId, one);
      return;
    case "searches":
      return deleteSearches(userId);
    case "track":
      await savePreferences(userId, { trackSearchHistory: form.on === "1" });
  }
}

export default function History({ loaderData: { days, older, searches, isTracking } }: Route.ComponentProps) {
  return (
    <div className="wrap page">
      <header className="page-head">
        <h1>History</h1>
      </header>
      <div className="history">
        <section aria-labelledby="watched">
          <div className="history-head">
            <h2 id="watched">Watched</h2>
            {days.length > 0 && <Remove intent="everything" label="Clear all" />}
          </div>
          {days.length === 0 && (
            <p className="lead">Episodes show up here once you have seen most of them.</p>
          )}
          {days.map((day) => (
            <Day key={day.date} day={day} />
          ))}
          {older !== null && (
            <Link className="button" to={`/history?before=${encodeURIComponent(older)}`}>
              Older
            </Link>
          )}
        </section>
        <section aria-labelledby="searches">
          <div className="history-head">
            <h2 id="searches">Searches</h2>
            {searches.length > 0 && <Remove intent="searches" label="Clear all" />}
          </div>
          <Form method="post" preventScrollReset className="history-pause">
            <p className="lead">
              {isTracking ? "Your searches are kept here." : "Paused: nothing you search for is kept."}
            </p>
            <input type="hidden" name="on" value={isTracking ? "0" : "1"} />
            <button className="button" data-size="small" type="submit" name="intent" value="track">
              {isTracking ? "Pause" : "Keep searches"}
            </button>
          </Form>
          <ul>
            {searches.map(({ query, ids }) => (
              <li key={ids[0]} className="history-row">
                <Link className="link" to={`/search?q=${encodeURIComponent(query)}`}>
                  {query}
                </Link>
                <Remove intent="search" label={`Remove ${query}`} fields={{ ids: ids.join(",") }} isSmall />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}

function Day({ day: { date, words, items } }: { day: HistoryDay }) {
  return (
    <section className="history-day" aria-label={words}>
      <div className="history-head">
        <h3>{words}</h3>
        <Remove intent="day" label={`Remove ${words}`} fields={{ date }} isSmall />
      </div>
      <ul>
        {items.map((item) => (
          <WatchedRow key={`${item.malId}/${item.ep}`} item={item} />
        ))}
      </ul>
    </section>
  );
}

function WatchedRow({ item: { malId, title, ep, episodeTitle, time } }: { item: WatchedItem }) {
  const name = episodeTitle === null ? `Episode ${ep}` : `Episode ${ep}: ${episodeTitle}`;
  return (
    <li className="history-row">
      <Link className="list-row-title" to={watchPath(malId, ep)}>
        <Poster malId={malId} sizes="48px" />
        <span>
          <span className="list-row-name">{title}</span>
          <span className="quiet">
            {name} · <span className="numeric">{time}</span>
          </span>
        </span>
      </Link>
      <Remove
        intent="episode"
        label={`Remove ${title}, ${name}`}
        fields={{ mal_id: String(malId), ep: String(ep) }}
        isSmall
      />
    </li>
  );
}

type RemoveProps = { intent: string; label: string; fields?: Record<string, string>; isSmall?: boolean };

function Remove({ intent, label, fields = {}, isSmall = false }: RemoveProps) {
  return (
    <Form method="post" preventScrollReset>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button
        className={isSmall ? "icon-button" : "button"}
        data-kind="ghost"
        data-size="small"
        type="submit"
        name="intent"
        value={intent}
        aria-label={isSmall ? label : undefined}
      >
        {isSmall ? <TrashIcon /> : label}
      </button>
    </Form>
  );
}
