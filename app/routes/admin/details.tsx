import { Form } from "react-router";
import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import {
  askForTitle,
  type DetailProgress,
  getDetailProgress,
  workSoon,
} from "#app/domain/details/details.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { saveSiteSettings } from "#app/domain/setup/setup.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { sizeText } from "#app/platform/units.ts";
import { spanText } from "#app/routes/views/date-format.server.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { malIdInput } from "#app/wire/forms/mal-id.server.ts";
import type { Route } from "./+types/details";
import { AdminPage, AdminTable } from "./admin-page.tsx";
import { GetDetails } from "./get-details.tsx";
import { IntentButton, RowButton } from "./intent-button.tsx";
import { withTitleNames } from "./title-names.server.ts";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Details", description: "Synopses, people and pictures from another site." });

export async function loader({ request, context }: Route.LoaderArgs) {
  const language = memberTitleLanguage(request, context);
  const { failed, ...progress } = await getDetailProgress();
  return toView({ ...progress, failed: await withTitleNames(failed, language) }, new Date());
}

const number = new Intl.NumberFormat("en");
const reasons: Record<DetailProgress["waiting"][number]["reason"], string> = {
  opened: "opened by somebody",
  films: "with videos here",
  listed: "on a list",
  airing: "airing now",
};

type NamedProgress = Omit<DetailProgress, "failed"> & {
  failed: (DetailProgress["failed"][number] & { path: string })[];
};

function toView(progress: NamedProgress, now: Date) {
  const { waiting, remainingMs, problem, failed, pictures, ...rest } = progress;
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  return {
    ...rest,
    waiting: waiting.map((one) => `${number.format(one.count)} ${reasons[one.reason]}`),
    waitingText:
      remainingMs === null
        ? "No title is waiting."
        : `${number.format(count)} ${count === 1 ? "title is" : "titles are"} waiting. The last one is due in about ${spanText(Math.max(60_000, remainingMs))}.`,
    answeredText: `${number.format(rest.answered)} ${rest.answered === 1 ? "title has" : "titles have"} details.`,
    todayText: `${number.format(rest.askedToday)} of at most ${number.format(rest.maxTitlesPerDay)} titles were requested today.`,
    picturesText: `${number.format(pictures.waiting)} ${pictures.waiting === 1 ? "picture is" : "pictures are"} waiting, ${number.format(pictures.failed)} could not be fetched. The stored pictures take ${sizeText(pictures.bytes)} of ${sizeText(pictures.maxBytes)} (DETAIL_PICTURES_MB).`,
    problem:
      problem &&
      nextText(
        problem.nextAt,
        now,
        `${problem.text}. Since ${problem.since.toISOString().slice(0, 16).replace("T", " ")} UTC.`,
      ),
    failed: failed.map(({ dueAt, ...title }) => ({
      ...title,
      next: dueAt > now ? `in ${spanText(dueAt.getTime() - now.getTime())}` : "soon",
    })),
  };
}
type View = ReturnType<typeof toView>;

const nextText = (nextAt: Date, now: Date, text: string) =>
  nextAt > now ? `${text} The next attempt is in ${spanText(nextAt.getTime() - now.getTime())}.` : text;

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["on", "off", "delete"]) }),
  z.object({ intent: z.literal("title"), id: malIdInput }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const { isForbidden, isOn } = await getDetailProgress();
  const actor = operatorOf(context);
  switch (form.value.intent) {
    case "on":
      if (isForbidden) return forbidden();
      await saveSiteSettings({ details: true }, actor);
      workSoon();
      return { notice: "Details are on. This page shows how many titles are waiting." };
    case "off":
      await saveSiteSettings({ details: false }, actor);
      return { notice: "Details are off. Those that have arrived stay." };
    case "delete":
      await saveSiteSettings({ details: null }, actor);
      workSoon();
      return { notice: "Details are off, and the stored ones are being deleted. That takes a minute." };
    case "title":
      if (isForbidden) return forbidden();
      if (!isOn) return formErrorResponse(refuse("conflict", "Details are off. Turn them on first."));
      return (await askForTitle(form.value.id))
        ? { notice: "This title is next. Its page shows the details when they arrive." }
        : formErrorResponse(refuse("not_found", "No other site knows this title."));
  }
}

const forbidden = () => formErrorResponse(refuse("forbidden", "DETAILS=0 forbids requests to another site."));

export default function Details({ loaderData: view, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Details"
      lead="Synopses, people and pictures from another site. Each title is requested once and then shown from here."
      answer={actionData}
    >
      {view.isForbidden ? (
        <p className="lead">
          DETAILS=0 forbids requests to another site. {view.answered > 0 && "Details from before stay."}
        </p>
      ) : view.isOn ? (
        <Progress view={view} />
      ) : (
        <GetDetails host={view.host} />
      )}
      {view.failed.length > 0 && <Failed view={view} />}
      {(view.isOn || view.answered > 0) && <Off view={view} />}
    </AdminPage>
  );
}

const Progress = ({ view }: { view: View }) => (
  <section aria-labelledby="progress">
    <h2 id="progress">Progress</h2>
    {view.problem !== null && <p className="admin-warning">{view.problem}</p>}
    <p>{view.waitingText}</p>
    {view.waiting.length > 0 && (
      <ul>
        {view.waiting.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    )}
    <p>
      {view.answeredText} {view.todayText} {view.picturesText}
    </p>
  </section>
);

const Failed = ({ view }: { view: View }) => (
  <section aria-labelledby="failed">
    <h2 id="failed">Titles without an answer</h2>
    {view.failedCount > view.failed.length && (
      <p className="lead">
        The first {view.failed.length} of {view.failedCount.toLocaleString("en")}.
      </p>
    )}
    <AdminTable label="Titles without an answer" columns={["Title", "Why", "Next attempt", "Change"]}>
      {view.failed.map(({ malId, title, path, problem, next }) => (
        <tr key={malId}>
          <td>
            <Link className="link" to={path}>
              {title}
            </Link>
          </td>
          <td>{problem}</td>
          <td>{next}</td>
          <td>
            {view.isOn && <RowButton intent="title" label="Ask now" about={title} fields={{ id: malId }} />}
          </td>
        </tr>
      ))}
    </AdminTable>
  </section>
);

const Off = ({ view }: { view: View }) => (
  <section aria-labelledby="off">
    <h2 id="off">{view.isOn ? "Turn off" : "Delete the details"}</h2>
    <p className="lead">
      {view.isOn && "If you only turn details off, those that have arrived stay. "}
      Deleting removes the texts, people and pictures of {view.host}. Everything from other sources stays.
    </p>
    <Form method="post" preventScrollReset className="admin-buttons">
      {view.isOn && <IntentButton intent="off" label="Turn off" />}
      <IntentButton
        intent="delete"
        label={view.isOn ? "Turn off and delete the details" : "Delete the details"}
      />
    </Form>
  </section>
);
