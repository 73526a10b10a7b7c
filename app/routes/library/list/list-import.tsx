import { data } from "react-router";
import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import {
  importList,
  previewListImport,
  undoImport,
  useUploadedList,
} from "#app/domain/library/library.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { statusOfReason } from "#app/http/endpoint/error-response.server.ts";
import { readPageFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { getCurrentUser, grownUpPage } from "#app/http/guards/guard.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { listPath } from "#app/paths.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/list-import";
import type { ListImportAnswer } from "./import-result.tsx";
import { ImportForm } from "./list-transfer.tsx";

/** The action of the list's import form. Without scripts, this page shows its answer. */
export const middleware: Route.MiddlewareFunction[] = [
  limited("user", { on: "writes" }),
  sameOriginPage,
  grownUpPage,
];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Import a list", description: "Import a list from another site." });

/** Another page that the import belongs to, such as a step of signing up. */
export function loader({ url }: Route.LoaderArgs) {
  const redirectTo = url.searchParams.get("redirectTo");
  return { redirectTo: redirectTo === null ? undefined : safeRedirectTarget(redirectTo) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const user = getCurrentUser(context);
  const undo = url.searchParams.get("undo");
  return undo === null ? importForm(user, request, context) : undoImportForm(user.id, undo);
}

const refused = (message: string, status: number) =>
  data<ListImportAnswer>({ kind: "refused", message }, { status });
type Answered = ListImportAnswer | ReturnType<typeof refused>;

async function undoImportForm(userId: string, undo: string): Promise<Answered> {
  const noImportText = "There is no such import to undo";
  if (!z.guid().safeParse(undo).success) return refused(noImportText, 400);
  const undone = await undoImport(userId, undo);
  return undone.ok
    ? { kind: "undone" }
    : refused(undone.message ?? noImportText, statusOfReason(undone.reason));
}

async function importForm(user: SessionUser, request: Request, context: Context): Promise<Answered> {
  let isPreview = true;
  const imported = await readPageFile(request, ipBlockOf(context.get(clientContext).ip), (uploaded) => {
    const { intent, scores } = uploaded.fields;
    isPreview = intent !== "import";
    const run = isPreview ? previewListImport : importList;
    const options = { replaceScores: scores === "replace", viewer: viewerOf(user) };
    return useUploadedList(uploaded, (list) => run(user.id, list, options));
  });
  if (imported.kind === "refused") return refused(imported.message, imported.status);
  const { value } = imported;
  return { kind: "report", isPreview, ...value, unchanged: value.unchanged.length };
}

export default function ListImport({ loaderData: { redirectTo }, actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page">
      <h1>Import a list</h1>
      <div className="list-transfer list-transfer-body">
        <ImportForm answer={actionData} redirectTo={redirectTo} />
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
