import { data, Link } from "react-router";
import { z } from "zod";
import { viewerOf } from "#app/api/access/viewer.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import {
  importList,
  previewListImport,
  readUploadedList,
  undoImport,
} from "#app/domain/library/library.server.ts";
import { getCurrentUser, grownUpPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { statusOf } from "#app/http/endpoint/error-response.server.ts";
import { readUploadedFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { listPath } from "#app/paths.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/list-import";
import { ImportForm, type ListImportAnswer } from "./list-transfer.tsx";

/** The action of the list's import form. Without scripts, this page shows its answer. */
export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Import a list", description: "Import a list from another site." });

export async function action({ request, context, url }: Route.ActionArgs) {
  const user = getCurrentUser(context);
  const undo = url.searchParams.get("undo");
  try {
    return undo === null ? await importForm(user, request, context) : await undoImportForm(user.id, undo);
  } catch (error) {
    // `readUploadedFile` throws an API error for an unreadable body. The page shows its message.
    if (!(error instanceof Response)) throw error;
    const { error: message } = (await error.json()) as { error: string };
    return refused(message, error.status);
  }
}

const refused = (message: string, status: number) =>
  data<ListImportAnswer>({ kind: "refused", message }, { status });
type Answered = ListImportAnswer | ReturnType<typeof refused>;

async function undoImportForm(userId: string, undo: string): Promise<Answered> {
  const noImportText = "There is no such import to undo";
  if (!z.guid().safeParse(undo).success) return refused(noImportText, 400);
  const undone = await undoImport(userId, undo);
  return undone.ok ? { kind: "undone" } : refused(undone.message ?? noImportText, statusOf(undone.reason));
}

const importForm = (user: SessionUser, request: Request, context: Context) =>
  readUploadedFile(request, ipBlockOf(context.get(clientContext).ip), async (uploaded): Promise<Answered> => {
    const { intent, scores } = uploaded.fields;
    const file = await readUploadedList(uploaded);
    if (!file.ok) return refused(file.message ?? "The file could not be read", statusOf(file.reason));
    const isPreview = intent !== "import";
    const options = { replaceScores: scores === "replace", viewer: viewerOf(user) };
    const report = await (isPreview ? previewListImport : importList)(user.id, file.value, options);
    return { kind: "report", isPreview, ...report, unchanged: report.unchanged.length };
  });

export default function ListImport({ actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page">
      <h1>Import a list</h1>
      <div className="list-transfer list-transfer-body">
        <ImportForm answer={actionData} />
        <p>
          <Link className="link" to={listPath()}>
            Back to my list
          </Link>
        </p>
      </div>
    </div>
  );
}
