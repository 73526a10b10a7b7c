import { redirect } from "react-router";
import { operatorOf } from "#app/access/actor.server.ts";
import { getCurrentUser, operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import { adminTitlePath } from "#app/admin-paths.ts";
import {
  getEditedTitle,
  listEditedEpisodes,
  listEditedRelations,
  listEdits,
} from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { listCorrections } from "#app/domain/franchises/franchises.server.ts";
import { formErrorResponse, readPageForm, typedTexts } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { titlePath } from "#app/paths.ts";
import { lastPageOf, pageNumberIn } from "#app/platform/numbered-pages.ts";
import { kibibytes } from "#app/platform/units.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { keepText } from "#app/ui/forms/kept-text.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminPage, AdminTable } from "../admin-page.tsx";
import { FoundTitleLinks } from "../found-title-links.tsx";
import { findTitles } from "../found-titles.server.ts";
import { RowButton } from "../intent-button.tsx";
import { findTitleNames } from "../title-names.server.ts";
import type { Route } from "./+types/title";
import { EpisodesForm } from "./episodes-form.tsx";
import { FieldsForm, RefusedField } from "./fields-form.tsx";
import { FranchiseForm } from "./franchise-form.tsx";
import { applyLocalChange, findSameTitle, isLocalChange } from "./local-changes.server.ts";
import { NewLocalTitle, SameTitle } from "./local-title.tsx";
import { TitlePictureForm } from "./picture-form.tsx";
import { Relations } from "./relations.tsx";
import { applyTitleChange, readTitleId, titleChange } from "./title-changes.server.ts";
import { nothingFound, TitleFinder } from "./title-finder.tsx";
import { type EditView, toTitleView } from "./title-view.server.ts";
import { unlockForm } from "./unlock-button.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Edit a title", description: "What the catalog says of a title." });

const episodesPerPage = 50;
const maxEdits = 100;
const maxFormBytes = kibibytes(512);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const language = memberTitleLanguage(request, context);
  const malId = readTitleId(url);
  const textIn = (name: string) => url.searchParams.get(name) ?? "";
  const q = textIn("q");
  const related = textIn("related");
  const title = await getEditedTitle(malId);
  if (!title.ok) return { q, malId, found: await findTitles(q, language), edited: null };
  const { episodeCount } = title.value;
  const lastPage = lastPageOf(episodeCount, episodesPerPage);
  const page = pageNumberIn(url.searchParams.get("episodes"), lastPage);
  const first = (page - 1) * episodesPerPage + 1;
  const [episodes, relations, corrections, edits, found, local] = await Promise.all([
    listEditedEpisodes(malId, first, Math.min(episodeCount, first + episodesPerPage - 1)),
    listEditedRelations(malId),
    listCorrections(malId),
    listEdits(malId, maxEdits),
    findTitles(related, language),
    findSameTitle(malId, textIn("same"), textIn("by"), language),
  ]);
  const names = await findTitleNames([malId, ...relations.map(({ relatedId }) => relatedId)], language);
  const view = toTitleView({
    title: title.value,
    episodes,
    relations: relations.map((relation) => ({
      ...relation,
      name: names.get(relation.relatedId)?.title ?? relation.name,
    })),
    corrections,
    edits,
    operatorId: getCurrentUser(context).id,
    now: new Date(),
  });
  return {
    q,
    malId,
    found: [],
    edited: {
      ...view,
      name: names.get(malId)?.title ?? view.title,
      episodePage: { page, lastPage },
      related,
      found,
      local,
    },
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await readPageForm(titleChange, request, { limit: maxFormBytes });
  if (!form.ok) return formErrorResponse(form);
  const malId = readTitleId(url);
  const change = form.value;
  const operator = operatorOf(context);
  const changed = isLocalChange(change)
    ? await applyLocalChange(malId, change, operator)
    : await applyTitleChange(malId, change, operator);
  if (changed.ok && typeof changed.value === "number")
    throw redirect(adminTitlePath({ id: changed.value }), 303);
  if (changed.ok) return { notice: String(changed.value) };
  return formErrorResponse(changed, typedTexts(form.value));
}

export const clientAction = (args: Route.ClientActionArgs) => keepText(args);

export default function EditTitle({ loaderData, actionData }: Route.ComponentProps) {
  const { q, malId, found, edited } = loaderData;
  const formErrors = errorsByField(actionData && "issues" in actionData ? actionData : undefined);
  if (edited === null)
    return (
      <AdminPage
        title="Titles"
        lead="Change what the catalog says of a title. What you write stays, whatever an import brings."
        answer={actionData}
      >
        <TitleFinder label="Name or catalog number" name="q" value={q} />
        {malId > 0 && <p className="lead">The catalog has no title with the number {malId}.</p>}
        {q !== "" && found.length === 0 && nothingFound}
        {found.length > 0 && <FoundTitleLinks titles={found} pathOf={(id) => adminTitlePath({ id })} />}
        <NewLocalTitle formErrors={formErrors} />
      </AdminPage>
    );
  // Without the keys, fields would keep what was typed for another title.
  return (
    <AdminPage
      key={edited.malId}
      title={edited.name}
      lead="A field that you change is locked: no import changes it until you unlock it. All others follow the sources."
      answer={actionData}
      refusedField={<RefusedField fields={edited.fields} formErrors={formErrors} />}
    >
      <p className="admin-open">
        <Link className="link" to={titlePath(edited.malId, edited.title)}>
          Open its page
        </Link>
      </p>
      {edited.local && <SameTitle malId={edited.malId} title={edited.name} {...edited.local} />}
      {unlockForm}
      <FieldsForm fields={edited.fields} formErrors={formErrors} />
      <TitlePictureForm malId={edited.malId} picture={edited.picture} />
      <EpisodesForm malId={edited.malId} episodes={edited.episodes} {...edited.episodePage} />
      <Relations
        malId={edited.malId}
        relations={edited.relations}
        related={edited.related}
        found={edited.found}
      />
      <FranchiseForm corrections={edited.corrections} />
      <History edits={edited.edits} />
    </AdminPage>
  );
}

const History = ({ edits }: { edits: readonly EditView[] }) => (
  <section aria-labelledby="history">
    <h2 id="history">History of edits</h2>
    {edits.length === 0 ? (
      <p className="lead">No operator has edited this title.</p>
    ) : (
      <AdminTable label="History of edits" columns={["When", "By", "Field", "From", "To", "Change"]}>
        {edits.map(({ id, time, ago, by, what, from, to, canUndo }) => (
          <tr key={id}>
            <td>
              <time dateTime={time}>{ago}</time>
            </td>
            <td>{by}</td>
            <td>{what}</td>
            <td className="admin-address">{from}</td>
            <td className="admin-address">{to}</td>
            <td>
              {canUndo && (
                <RowButton fields={{ edit: id }} intent="undo" label="Undo" about={`${what}, ${ago}`} />
              )}
            </td>
          </tr>
        ))}
      </AdminTable>
    )}
  </section>
);
