import { Form } from "react-router";
import { z } from "zod";
import { type ListedFeed, listFeeds, readFeedNow } from "#app/domain/feeds/feeds.server.ts";
import { isUnderWay, runText } from "#app/domain/feeds/feeds.ts";
import { operatorPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { spanText, timeAgoText } from "#app/ui/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/feeds";
import { AdminPage, AdminTable } from "./admin-page.tsx";
import { IntentButton } from "./intent-button.tsx";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Feeds", description: "What renews the catalog by itself." });

export async function loader() {
  const now = new Date();
  return { feeds: (await listFeeds()).map((feed) => toRow(feed, now)) };
}

const toRow = ({ name, kind, address, intervalMs, nextAt, failures, runs }: ListedFeed, now: Date) => ({
  ...{ name, kind, address, every: spanText(intervalMs) },
  isUnderWay: runs[0] !== undefined && isUnderWay(runs[0], now),
  next: nextAt <= now ? "now" : `in ${spanText(nextAt.getTime() - now.getTime())}`,
  trouble: failures > 1 ? `No success in the last ${failures} tries` : null,
  runs: runs.map((run) => ({
    time: run.startedAt.toISOString(),
    ago: timeAgoText(run.startedAt, now),
    text: runText(run, now),
    rejected: (run.report?.rejected ?? []).map(({ where, reason }) => `${where}: ${reason}`),
  })),
});
type Row = ReturnType<typeof toRow>;

const change = z.object({ intent: z.literal("read"), name: z.string().max(4000) });

export async function action({ request }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  if (!(await readFeedNow(form.value.name)))
    return formErrorResponse({
      ok: false,
      reason: "not_found",
      message: "CATALOG_FEEDS does not name this feed",
    });
  return { notice: "The feed is read within half a minute. Open this page again to see how far it is." };
}

export default function Feeds({ loaderData: { feeds }, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Feeds"
      lead="Feeds renew the catalog by themselves. What you wrote stays, and a title that a feed loses stays, too."
      answer={actionData}
    >
      {feeds.length === 0 ? (
        <NoFeeds />
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

const NoFeeds = () => (
  <section aria-labelledby="none">
    <h2 id="none">No feed is set</h2>
    <p className="lead">
      Set CATALOG_FEEDS and start the site again, for example for a catalog of about 28,000 titles that is
      renewed every week:
    </p>
    <p className="admin-address">
      CATALOG_FEEDS=&quot;offline-database 7d
      https://github.com/cedya77/anime-offline-database/releases/download/latest/anime-offline-database-minified.json.zst&quot;
    </p>
  </section>
);

const FeedRow = ({
  feed: { name, kind, address, every, runs, next, trouble, isUnderWay },
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
    <td>{next}</td>
    <td>
      {!isUnderWay && (
        <Form method="post" preventScrollReset className="admin-buttons">
          <input type="hidden" name="name" value={name} />
          <IntentButton intent="read" label="Read now" about={address} />
        </Form>
      )}
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
