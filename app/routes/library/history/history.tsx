import { Form, redirect } from "react-router";
import { z } from "zod";
import { getCurrentUser, memberPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit, viewerOf } from "#app/access/viewer.server.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { isChild } from "#app/domain/accounts/accounts.ts";
import { parseDate } from "#app/domain/calendar/calendar.ts";
import { continueOf } from "#app/domain/discovery/discovery.server.ts";
import {
  deleteSearches,
  deleteWatchHistory,
  deleteWatchHistoryBetween,
  listSearches,
  listWatchHistory,
} from "#app/domain/library/library.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { browsePath, historyPath, searchPath } from "#app/paths.ts";
import { mustBeDate } from "#app/platform/validation-messages.ts";
import { drawnLanguageOf, toWatchLink } from "#app/routes/views/title-views.server.ts";
import { Confirm } from "#app/ui/forms/confirm.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { episodeInput, idInput } from "#app/wire/input-aliases.server.ts";
import { historyEndInput, historyEndText } from "#app/wire/watch-history.server.ts";
import type { Route } from "./+types/history";
import { dayBounds, distinctSearches, historyDays } from "./history-page.server.ts";
import { Day, Remove } from "./watched-day.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, memberPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "History", description: "What you watched and searched for." });

const perPage = 100;
const maxSearches = 100;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const { preferences, timeZone } = await getVisit(request, context);
  const before = historyEndInput.safeParse(url.searchParams.get("before")).data;
  const [found, searches] = await Promise.all([
    listWatchHistory(user.id, {
      // One more says whether there is an older page.
      limit: perPage + 1,
      viewer: viewerOf(user),
      before,
    }),
    listSearches(user.id, maxSearches),
  ]);
  const watched = found.slice(0, perPage);
  const steps = await continueOf(user.id, [...new Set(watched.map(({ malId }) => malId))], viewerOf(user));
  const last = found.length > perPage ? watched.at(-1) : undefined;
  return {
    days: historyDays(watched, {
      timeZone,
      titleLanguage: preferences.titleLanguage,
      now: new Date(),
      drawnLanguageOf,
      watchOf: (malId) => toWatchLink(steps.get(malId)),
    }),
    isNewest: before === undefined,
    older: last ? historyEndText(last) : null,
    searches: distinctSearches(searches),
    isRemembered: !user.preferences.forgetsWatched,
    isTracking: user.preferences.trackSearchHistory,
    isChild: isChild(user),
  };
}

const day = z.string().refine((text) => parseDate(text) !== null, mustBeDate);

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("episode"), mal_id: idInput, ep: episodeInput }),
  z.object({ intent: z.literal("day"), date: day }),
  z.object({ intent: z.literal("search"), ids: z.string() }),
  z.object({ intent: z.enum(["everything", "searches"]) }),
  z.object({ intent: z.enum(["track", "remember"]), on: z.enum(["1", "0"]) }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const { timeZone } = await getVisit(request, context);
  await changeHistory(getCurrentUser(context).id, form.value, timeZone);
  return null;
}

async function changeHistory(userId: string, form: z.output<typeof change>, timeZone: string) {
  switch (form.intent) {
    case "episode":
      return deleteWatchHistory(userId, { malId: form.mal_id, episode: form.ep });
    case "day":
      return deleteWatchHistoryBetween(userId, dayBounds(form.date, timeZone));
    case "everything":
      await deleteWatchHistory(userId, {});
      throw redirect(historyPath());
    case "search":
      for (const id of form.ids.split(","))
        if (z.uuid().safeParse(id).success) await deleteSearches(userId, id);
      return;
    case "searches":
      return deleteSearches(userId);
    case "track":
      return savePreferences(userId, { trackSearchHistory: form.on === "1" });
    case "remember":
      return savePreferences(userId, { forgetsWatched: form.on === "0" });
  }
}

export default function History({ loaderData: page }: Route.ComponentProps) {
  const { days, older } = page;
  return (
    <div className="wrap page">
      <header className="page-head">
        <h1>History</h1>
      </header>
      <div className="history">
        <section aria-labelledby="watched">
          <h2 id="watched">Watched</h2>
          {!page.isChild && (
            <Recording
              intent="remember"
              isOn={page.isRemembered}
              about="remembering what you watch"
              onText="What you watch is remembered here."
              offText="Paused: what you watch is not remembered, nor where you stopped."
              onLabel="Remember what I watch"
            />
          )}
          {days.length > 0 && (
            <Confirm
              label="Clear all"
              about="watched episodes"
              text="This removes all that you have watched here. It cannot be undone."
            >
              <Remove intent="everything" label="Clear the watch history" />
            </Confirm>
          )}
          {days.length === 0 && !page.isNewest && <NothingOlder />}
          {days.length === 0 && page.isNewest && page.isRemembered && <NothingWatched />}
          {days.map((day) => (
            <Day key={day.date} day={day} />
          ))}
          {older !== null && (
            <Link className="button" to={historyPath({ before: older })}>
              Show older episodes
            </Link>
          )}
        </section>
        {!page.isChild && <Searches {...page} />}
      </div>
    </div>
  );
}

const NothingWatched = () => (
  <section className="message list-empty" aria-label="Nothing watched">
    <h3>Nothing watched yet</h3>
    <p className="lead">An episode appears here after you have watched most of it.</p>
    <p className="message-actions">
      <Link className="button" data-kind="primary" to={browsePath()}>
        Browse titles
      </Link>
    </p>
  </section>
);

const NothingOlder = () => (
  <section className="message list-empty" aria-label="Nothing older">
    <h3>Nothing older</h3>
    <p className="message-actions">
      <Link className="button" data-kind="primary" to={historyPath()}>
        Show the newest episodes
      </Link>
    </p>
  </section>
);

type SearchesProps = Pick<Route.ComponentProps["loaderData"], "searches" | "isTracking">;

function Searches({ searches, isTracking }: SearchesProps) {
  return (
    <section aria-labelledby="searches">
      <h2 id="searches">Searches</h2>
      <Recording
        intent="track"
        isOn={isTracking}
        about="remembering searches"
        onText="Your searches are remembered here."
        offText="Paused: your searches are not remembered."
        onLabel="Remember searches"
      />
      {searches.length > 0 && (
        <Confirm
          label="Clear all"
          about="searches"
          text="This removes all your searches. It cannot be undone."
        >
          <Remove intent="searches" label="Clear the search history" />
        </Confirm>
      )}
      <ul>
        {searches.map(({ query, ids }) => (
          <li key={ids[0]} className="history-row">
            <Link className="link" to={searchPath({ q: query })}>
              {query}
            </Link>
            <Remove intent="search" label={`Remove ${query}`} fields={{ ids: ids.join(",") }} isSmall />
          </li>
        ))}
      </ul>
    </section>
  );
}

type RecordingProps = {
  intent: "remember" | "track";
  isOn: boolean;
  /** What the button pauses, for screen reader users who hear only its name. */
  about: string;
  onText: string;
  offText: string;
  /** The label of the button that turns recording on again. */
  onLabel: string;
};

const Recording = ({ intent, isOn, about, onText, offText, onLabel }: RecordingProps) => (
  <Form method="post" preventScrollReset className="history-pause">
    <p className="lead">{isOn ? onText : offText}</p>
    <input type="hidden" name="on" value={isOn ? "0" : "1"} />
    <button className="button" data-kind="ghost" data-size="small" type="submit" name="intent" value={intent}>
      {isOn ? (
        <>
          Pause <span className="visually-hidden">{about}</span>
        </>
      ) : (
        onLabel
      )}
    </button>
  </Form>
);
