import { Form, Link, redirect } from "react-router";
import { z } from "zod";
import { hideTitle, listHiddenTitles, unhideTitle } from "#app/domain/catalog/catalog.server.ts";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { getCurrentUser, operatorPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { titlePath } from "#app/paths.ts";
import { timeAgoText } from "#app/ui/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/hidden";
import { AdminField, AdminPage, AdminTable } from "./admin-page.tsx";
import { IntentButton } from "./intent-button.tsx";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Hidden titles", description: "Titles that are hidden from everybody." });

const maxListed = 500;

export async function loader() {
  const now = new Date();
  const hidden = await listHiddenTitles(maxListed);
  return { hidden: hidden.map(({ hiddenAt, ...title }) => ({ ...title, ago: timeAgoText(hiddenAt, now) })) };
}

const change = z.object({
  intent: z.enum(["hide", "show"]),
  id: z.coerce.number().int().min(1).max(maxMalId),
  /** The form of a title's page leads back to that page. */
  from: z.literal("title").optional(),
});

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const { intent, id, from } = form.value;
  const changed = intent === "hide" ? await hideTitle(id, getCurrentUser(context).id) : await unhideTitle(id);
  if (!changed.ok) return formErrorResponse(changed);
  const { title } = changed.value;
  if (from === "title") throw redirect(titlePath(id, title));
  return { notice: intent === "hide" ? `Nobody sees ${title} any more.` : `${title} is shown again.` };
}

export default function Hidden({ loaderData: { hidden }, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Hidden titles"
      lead="Nobody can find, open or play these titles. Members keep their entries, but do not see them."
      answer={actionData}
    >
      <Form method="post" className="admin-line">
        <AdminField label="Title id" name="id" type="number" />
        <IntentButton intent="hide" label="Hide from everybody" />
      </Form>
      <section aria-labelledby="hidden">
        <h2 id="hidden">{hidden.length === maxListed ? `The newest ${maxListed}` : "All hidden titles"}</h2>
        {hidden.length === 0 ? (
          <p className="lead">No title is hidden. You can also hide a title on its own page.</p>
        ) : (
          <AdminTable label="Hidden titles" columns={["Title", "Id", "Hidden", "By", "Change"]}>
            {hidden.map(({ malId, title, ago, hiddenBy }) => (
              <tr key={malId}>
                <td className="admin-address">
                  <Link className="link" to={titlePath(malId, title)}>
                    {title}
                  </Link>
                </td>
                <td className="numeric">{malId}</td>
                <td>{ago}</td>
                <td>{hiddenBy ?? "–"}</td>
                <td>
                  <Form method="post" preventScrollReset className="admin-buttons">
                    <input type="hidden" name="id" value={malId} />
                    <IntentButton intent="show" label="Show again" about={title} />
                  </Form>
                </td>
              </tr>
            ))}
          </AdminTable>
        )}
      </section>
    </AdminPage>
  );
}
