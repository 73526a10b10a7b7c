import { Form } from "react-router";
import { z } from "zod";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { adminFeedsPath } from "#app/admin-paths.ts";
import { refuse } from "#app/domain/errors.ts";
import {
  fetchFullCatalog,
  findFullCatalogOffer,
  giveUpFullCatalog,
  type ListedFeed,
  listFeeds,
  readFeedNow,
} from "#app/domain/feeds/feeds.server.ts";
import { isUnderWay, runText } from "#app/domain/feeds/feeds.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { spanText, timeAgoText } from "#app/routes/views/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/feeds";
import { AdminPage, AdminTable } from "./admin-page.tsx";
import { FullCatalog } from "./full-catalog.tsx";
import { IntentButton } from "./intent-button.tsx";
import { WorkProgress } from "./work-progress.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Feeds", description: "What keeps the catalog up to date." });

export async function loader() {
  const now = new Date();
  const [feeds, offer] = await Promise.all([listFeeds(), findFullCatalogOffer()]);
  return { offer, feeds: feeds.map((feed) => toRow(feed, now)) };
}

const toRow = ({ name, kind, address, nextAt, failures, runs, ...feed }: ListedFeed, now: Date) => ({
  name,
  kind,
  address,
  every: feed.isOnce ? "once" : spanText(feed.intervalMs),
  isUnderWay: runs[0] !== undefined && isUnderWay(runs[0], now),
  ...planOf({ nextAt, failures, ...feed }, now),
  trouble: failures > 1 ? `No success in the last ${failures} tries` : null,
  runs: runs.map((run) => ({
    time: run.startedAt.toISOString(),
    ago: timeAgoText(run.startedAt, now),
    text: runText(run, now),
    rejected: (run.report?.rejected ?? []).map(({ where, reason }) => `${where}: ${reason}`),
  })),
});
type Row = ReturnType<typeof toRow>;

/** Says when the feed runs next, and which buttons can change that. */
function planOf(
  { nextAt, failures, isOnce, isByButton }: Pick<ListedFeed, "nextAt" | "failures" | "isOnce" | "isByButton">,
  now: Date,
) {
  const waitMs = nextAt.getTime() - now.getTime();
  const isDue = waitMs <= 0;
  const isDone = isOnce && failures === 0 && !isDue;
  return {
    isDue,
    next: isDue ? "now" : isDone ? "–" : `in ${spanText(waitMs)}`,
    canStop: isByButton && !isDone,
    canRepeat: isByButton && isDone,
  };
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("read"), name: z.string().max(4000) }),
  z.object({ intent: z.literal("full-catalog"), weekly: z.literal("1").optional() }),
  z.object({ intent: z.literal("give-up") }),
]);

export async function action({ request }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  if (form.value.intent === "full-catalog") {
    await fetchFullCatalog({ isWeekly: form.value.weekly !== undefined });
    return {
      notice:
        "The full catalog is fetched next. This page shows how far it is; you can use the site meanwhile.",
    };
  }
  if (form.value.intent === "give-up") {
    await giveUpFullCatalog();
    return { notice: "The site does not fetch the full catalog any more. Titles that came stay." };
  }
  if (!(await readFeedNow(form.value.name)))
    return formErrorResponse(refuse("not_found", "There is no such feed any more. Open this page again."));
  return { notice: "The feed is read within half a minute." };
}

export default function Feeds({ loaderData: { feeds, offer }, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Feeds"
      lead="Feeds keep the catalog up to date. Your own changes stay, and so does a title that a feed no longer has."
      answer={actionData}
    >
      {feeds.some(({ isUnderWay, isDue }) => isUnderWay || isDue) && (
        <WorkProgress label="A feed is being read" to={adminFeedsPath()} />
      )}
      {offer && <FullCatalog host={offer.host} />}
      {feeds.length === 0 ? (
        <p className="lead">No feed is set. CATALOG_FEEDS can name others, such as another Engawa.</p>
      ) : (
        <AdminTable label="Feeds" columns={["Feed", "Every", "Last run", "Result", "Next run", "Change"]}>
          {feeds.map((feed) => (
            <FeedRow key={feed.name} feed={feed} />
          ))}
        </AdminTable>
      )}
      {feeds.map((feed) => (
        <Runs key={feed.name} feed={feed} />
      ))}
    </AdminPage>
  );
}

const FeedRow = ({
  feed: { name, kind, address, every, runs, next, trouble, isUnderWay, canStop, canRepeat },
}: {
  feed: Row;
}) => (
  <tr>
    <td className="admin-address">
      {address}
      <br />
      <span className="quiet">{kind}</span>
    </td>
    <td>{every}</td>
    <td>{runs[0]?.ago ?? "–"}</td>
    <td>
      {runs[0]?.text ?? "Not read yet"}
      {trouble !== null && (
        <>
          <br />
          <span className="quiet">{trouble}</span>
        </>
      )}
    </td>
    <td>{isUnderWay ? "–" : next}</td>
    <td>
      <div className="admin-buttons">
        <Form method="post" preventScrollReset>
          <input type="hidden" name="name" value={name} />
          {!isUnderWay && <IntentButton intent="read" label="Read now" about={address} />}
          {canStop && <IntentButton intent="give-up" label="Stop" about={address} />}
        </Form>
        {canRepeat && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="weekly" value="1" />
            <IntentButton intent="full-catalog" label="Renew every week" about={address} />
          </Form>
        )}
      </div>
    </td>
  </tr>
);

const Runs = ({ feed: { name, address, runs } }: { feed: Row }) =>
  runs.length > 0 && (
    <section aria-label={`Runs of ${name}`}>
      <h2 className="admin-address">{address}</h2>
      <ul>
        {runs.map(({ time, ago, text, rejected }) => (
          <li key={time}>
            <time dateTime={time}>{ago}</time>: {text}
            {rejected.length > 0 && (
              <details>
                <summary>What was refused, and why</summary>
                <ul>
                  {rejected.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
