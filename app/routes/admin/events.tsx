import { z } from "zod";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { adminEventsPath } from "#app/admin-paths.ts";
import { type ListedEvent, listEvents } from "#app/domain/events/events.server.ts";
import { eventDays, eventTexts } from "#app/domain/events/events.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/events";
import { AdminPage, AdminTable, ButtonLine, StackedCell, StackedRow } from "./admin-page.tsx";

export const middleware: Route.MiddlewareFunction[] = [operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Events", description: "What happened to accounts and to the site." });

const perPage = 100;

/**
 * The cursor of a page: the time and the id of its last event. Without the id, events with the same time would be left
 * out.
 */
const cursor = z.templateLiteral([z.iso.datetime(), "_", z.uuid()]).transform((text) => ({
  at: new Date(text.slice(0, text.indexOf("_"))),
  id: text.slice(text.indexOf("_") + 1),
}));

export async function loader({ url }: Route.LoaderArgs) {
  const before = cursor.safeParse(url.searchParams.get("before")).data;
  const events = await listEvents(perPage, before);
  const now = new Date();
  const last = events.at(-1);
  return {
    events: events.map((event) => toRow(event, now)),
    next: events.length === perPage && last ? `${last.at.toISOString()}_${last.id}` : null,
  };
}

const toRow = (
  { id, at, kind, actor, detail, networkHash, userEmail, operatorEmail }: ListedEvent,
  now: Date,
) => ({
  id,
  time: at.toISOString(),
  ago: timeAgoText(at, now),
  text: eventTexts[kind],
  detail,
  about: userEmail ?? "–",
  by: {
    // Nobody knows who typed a wrong password.
    member: kind === "sign_ins_failed" ? "–" : (userEmail ?? "the member"),
    command: "command line",
    operator: operatorEmail ?? "an operator",
  }[actor],
  network: networkHash?.slice(0, 8) ?? "–",
});

export default function Events({ loaderData: { events, next } }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Events"
      lead={`What happened to accounts and to the site in the last ${eventDays} days, newest first. One network always has the same code, which does not reveal its address.`}
    >
      <section aria-label="What happened">
        {events.length === 0 ? (
          <p className="lead">No events.</p>
        ) : (
          <AdminTable
            label="Events"
            isStacked
            columns={["When", "Account", "Event", "Detail", "By", "Network"]}
          >
            {events.map((event) => (
              <StackedRow key={event.id}>
                <StackedCell>
                  <time dateTime={event.time}>{event.ago}</time>
                </StackedCell>
                <StackedCell className="admin-address">{event.about}</StackedCell>
                <StackedCell>{event.text}</StackedCell>
                <StackedCell className="admin-address">{event.detail}</StackedCell>
                <StackedCell className="admin-address" data-heading="By">
                  {event.by}
                </StackedCell>
                <StackedCell className="numeric" data-heading="Network">
                  {event.network}
                </StackedCell>
              </StackedRow>
            ))}
          </AdminTable>
        )}
        {next !== null && <ButtonLine to={adminEventsPath({ before: next })}>Older events</ButtonLine>}
      </section>
    </AdminPage>
  );
}
