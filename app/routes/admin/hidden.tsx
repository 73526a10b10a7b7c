import { redirect } from "react-router";
import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import {
  hideTitle,
  listHiddenTitles,
  unhideTitle,
} from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { titlePath } from "#app/paths.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/hidden";
import { AddForm } from "./add-form.tsx";
import { AdminField, AdminPage, AdminTable, TitleCell } from "./admin-page.tsx";
import { type FoundTitle, findTitles } from "./found-titles.server.ts";
import { IntentButton, RowButton } from "./intent-button.tsx";
import { withTitleNames } from "./title-names.server.ts";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Hidden titles", description: "Titles that are hidden from everybody." });

const maxListed = 500;

export async function loader({ request, context }: Route.LoaderArgs) {
  const now = new Date();
  const language = memberTitleLanguage(request, context);
  const hidden = await withTitleNames(await listHiddenTitles(maxListed), language);
  return { hidden: hidden.map(({ hiddenAt, ...title }) => ({ ...title, ago: timeAgoText(hiddenAt, now) })) };
}

const change = z.object({
  intent: z.enum(["hide", "show"]),
  /** The catalog number of a title; operators may also type its name. */
  id: z.string().trim().max(500),
  /** The form of a title's page leads back to that page. */
  from: z.literal("title").optional(),
});

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const { intent, from } = form.value;
  const matches = await findTitles(form.value.id, memberTitleLanguage(request, context));
  const exact = matches.filter(({ isExact }) => isExact);
  // Another title may have this id as its name.
  const one =
    exact.find(({ malId }) => String(malId) === form.value.id) ?? (exact.length === 1 ? exact[0] : undefined);
  if (one === undefined) return formErrorResponse(notOne(matches));
  const id = one.malId;
  const changed = await (intent === "hide" ? hideTitle : unhideTitle)(id, operatorOf(context));
  if (!changed.ok) return formErrorResponse(changed);
  const { title } = changed.value;
  if (from === "title") throw redirect(titlePath(id, title));
  return {
    intent,
    notice: intent === "hide" ? `Nobody sees ${one.title} any more.` : `${one.title} is shown again.`,
  };
}

function notOne(found: readonly FoundTitle[]) {
  if (found.length === 0) return refuse("not_found", "No title has this name or this catalog number.");
  const names = found.map(({ malId, title }) => `${title} (catalog number ${malId})`).join(", ");
  return refuse(
    "invalid",
    found.length === 1
      ? `Type the whole name or the catalog number: ${names}.`
      : `It could be one of several titles. Type the whole name or the catalog number of one: ${names}.`,
  );
}

export default function Hidden({ loaderData: { hidden }, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Hidden titles"
      lead="Nobody can find, open or play these titles. They stay on members' lists, out of sight until you show them again."
      answer={actionData}
    >
      <AddForm intent="hide" answer={actionData}>
        <AdminField label="Name or catalog number of a title" name="id" />
        <IntentButton intent="hide" label="Hide from everybody" />
      </AddForm>
      <section aria-labelledby="hidden">
        <h2 id="hidden">{hidden.length === maxListed ? `The newest ${maxListed}` : "All hidden titles"}</h2>
        {hidden.length === 0 ? (
          <p className="lead">No title is hidden. You can also hide a title on its own page.</p>
        ) : (
          <AdminTable label="Hidden titles" columns={["Title", "Hidden", "By", "Change"]}>
            {hidden.map(({ malId, title, path, ago, hiddenBy }) => (
              <tr key={malId}>
                <TitleCell title={title} path={path} />
                <td>{ago}</td>
                <td>{hiddenBy ?? "–"}</td>
                <td>
                  <RowButton fields={{ id: malId }} intent="show" label="Show again" about={title} />
                </td>
              </tr>
            ))}
          </AdminTable>
        )}
      </section>
    </AdminPage>
  );
}
