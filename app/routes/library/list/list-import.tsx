import { data } from "react-router";
import { z } from "zod";
import { getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { titleLanguageFor, viewerOf } from "#app/access/viewer.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { displayTitle, type TitleNames } from "#app/domain/catalog/catalog.ts";
import { fetchListByName, findListHost, noListRefusal } from "#app/domain/details/details.server.ts";
import {
  importList,
  type ListImportReport,
  previewListImport,
  undoImport,
  unknownJsonText,
  withUploadedList,
} from "#app/domain/library/library.server.ts";
import { type Context, signalIn } from "#app/http/context.server.ts";
import { refusalResponse, statusOfReason } from "#app/http/endpoint/error-response.server.ts";
import { type FileSource, readPageFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { leavePagePlace } from "#app/http/guards/page-limits.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { listImportPath, listPath } from "#app/paths.ts";
import { firstRows, type Rows } from "#app/platform/process/stored-rows.ts";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/list-import";
import type { ListImportAnswer, NamedRows } from "./import-result.tsx";
import { ImportForm } from "./list-transfer.tsx";

/** The action of the list's import form. Without scripts, this page shows its answer. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Import a list", description: "Import a list from another site." });

export function loader({ url }: Route.LoaderArgs) {
  const redirectTo = url.searchParams.get("redirectTo");
  return {
    /** Another page that the import belongs to, such as a step of signing up. */
    redirectTo: redirectTo === null ? undefined : safeRedirectTarget(redirectTo),
    /** The host that gets the name for a list by name; null if the operator forbids it. */
    listHost: findListHost(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const user = getCurrentUser(context);
  const undo = url.searchParams.get("undo");
  if (undo !== null) return undoImportForm(user.id, undo);
  return url.searchParams.get("from") === "anilist"
    ? importByName(user, request, context)
    : importForm(user, request, context);
}

const refused = (message: string, status: number) =>
  data<ListImportAnswer>({ kind: "refused", message }, { status });
type ActionAnswer = ListImportAnswer | ReturnType<typeof refused>;

async function undoImportForm(userId: string, undo: string): Promise<ActionAnswer> {
  const noImportText = "There is no such import to undo";
  if (!z.guid().safeParse(undo).success) return refused(noImportText, 400);
  const undone = await undoImport(userId, undo);
  return undone.ok
    ? { kind: "undone" }
    : refused(undone.message ?? noImportText, statusOfReason(undone.reason));
}

const nameForm = z.object({
  name: z.string().trim().max(200),
  intent: z.enum(["preview", "import"]),
  scores: z.literal("replace").optional(),
});

/** Fetches the list into an uploaded file, and imports that. */
async function importByName(user: SessionUser, request: Request, context: Context): Promise<ActionAnswer> {
  const form = await readPageForm(nameForm, request);
  if (!form.ok) return refused(form.message ?? "The form cannot be read", statusOfReason(form.reason));
  const { name, ...choices } = form.value;
  leavePagePlace(context);
  return importForm(user, request, context, async (save) => {
    const list = await fetchListByName(user.accountId, name, { signal: signalIn(context), save });
    if (!list.ok) throw refusalResponse(list);
    return choices;
  });
}

/** `byName`: fetches the list, if it is not in the request. */
async function importForm(
  user: SessionUser,
  request: Request,
  context: Context,
  byName?: FileSource,
): Promise<ActionAnswer> {
  const language = titleLanguageFor(request, user.preferences);
  let isPreview = true;
  const imported = await readPageFile(
    request,
    context,
    async (uploaded) => {
      const { intent, scores } = uploaded.fields;
      isPreview = intent !== "import";
      const run = isPreview ? previewListImport : importList;
      const options = {
        replaceScores: scores === "replace",
        viewer: viewerOf(user),
        scratch: uploaded.file,
        nameOf: (names: TitleNames) => displayTitle(names, language),
      };
      const report = await withUploadedList(uploaded, async (list) =>
        namedReport(await run(user.id, list, options)),
      );
      return byName && !report.ok && report.message === unknownJsonText ? noListRefusal : report;
    },
    byName,
  );
  if (imported.kind === "refused") return refused(imported.message, imported.status);
  return { kind: "report", isPreview, ...imported.value };
}

/** Names at most this many titles of each list. */
const maxNamed = 200;

const toNamedRows = async <Row,>(rows: Rows<Row>): Promise<NamedRows<Row>> => ({
  count: rows.count,
  first: await firstRows(rows, maxNamed),
});

const namedReport = async ({ added, changed, unchanged, unmatched, clamped, ...rest }: ListImportReport) => ({
  ...rest,
  added: await toNamedRows(added),
  changed: await toNamedRows(changed),
  unchanged: unchanged.count,
  unmatched: await toNamedRows(unmatched),
  clamped: await toNamedRows(clamped),
});

export default function ListImport({
  loaderData: { redirectTo, listHost },
  actionData,
}: Route.ComponentProps) {
  return (
    <div className="wrap page">
      <h1>Import a list</h1>
      <div className="list-transfer list-transfer-body">
        <ImportForm answer={actionData} redirectTo={redirectTo} />
        {listHost !== null && <ListByName host={listHost} redirectTo={redirectTo} />}
        <p>
          {redirectTo === undefined ? (
            <Link className="link" to={listPath()}>
              Back to my list
            </Link>
          ) : (
            <Link className="button" to={redirectTo}>
              Go on
            </Link>
          )}
        </p>
      </div>
    </div>
  );
}

/** A navigation and not a fetcher: this page shows the answer. */
const ListByName = ({ host, redirectTo }: { host: string; redirectTo: string | undefined }) => (
  <OnceForm
    action={listImportPath({ from: "anilist", redirectTo })}
    className="stack"
    aria-labelledby="by-name"
  >
    <h2 id="by-name">By your name on AniList</h2>
    <div className="field">
      <label htmlFor="list-name">Your name on AniList</label>
      <input
        className="input"
        id="list-name"
        name="name"
        required
        maxLength={30}
        autoComplete="off"
        aria-describedby="list-name-help"
      />
      <p className="quiet" id="list-name-help">
        This site sends the name to {host} when you press a button below, and nothing else about you. The list
        must be public. For MyAnimeList, use the file: its lists cannot be read by name without a key that
        each site would need.
      </p>
    </div>
    <label className="check">
      <input type="checkbox" name="scores" value="replace" /> Replace my scores with those of AniList
    </label>
    <p className="list-transfer-buttons">
      <button className="button" type="submit" name="intent" value="preview">
        Show what would change
      </button>
      <button className="button" data-kind="primary" type="submit" name="intent" value="import">
        Import
      </button>
    </p>
  </OnceForm>
);
