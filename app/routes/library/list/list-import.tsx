import { Link, redirect } from "react-router";
import { z } from "zod";
import {
  importList,
  previewListImport,
  readUploadedList,
  undoImport,
} from "#app/domain/library/library.server.ts";
import { getCurrentUser, memberPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { readUploadedFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { listTransferPath } from "#app/paths.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/list-import";
import { ImportResult, type ListImportAnswer } from "./list-transfer.tsx";

/** Where the list's import form posts to; without scripts its answer is a page of its own. */
export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Import a list", description: "Bring a list along." });

export const loader = () => redirect(listTransferPath());

export async function action({ request, context, url }: Route.ActionArgs): Promise<ListImportAnswer> {
  const { id } = getCurrentUser(context);
  const undo = url.searchParams.get("undo");
  try {
    return undo === null ? await importForm(id, request) : await undoImportForm(id, undo);
  } catch (error) {
    // A body that could not be read; the API answers so, a page says so.
    if (!(error instanceof Response)) throw error;
    const { error: message } = (await error.json()) as { error: string };
    return { kind: "refused", message };
  }
}

async function undoImportForm(userId: string, undo: string): Promise<ListImportAnswer> {
  const nothing = "There is nothing to take back";
  if (!z.guid().safeParse(undo).success) return { kind: "refused", message: nothing };
  const undone = await undoImport(userId, undo);
  return undone.ok ? { kind: "undone" } : { kind: "refused", message: undone.message ?? nothing };
}

const importForm = (userId: string, request: Request): Promise<ListImportAnswer> =>
  readUploadedFile(request, async (bytes, { intent, scores, dropped }) => {
    const file = await readUploadedList(bytes, { withDropped: dropped === "1" });
    if (!file.ok) return { kind: "refused", message: file.message ?? "The file could not be read" };
    const isPreview = intent !== "import";
    const how = { replaceScores: scores === "replace" };
    const report = await (isPreview ? previewListImport : importList)(userId, file.value, how);
    return { kind: "told", isPreview, ...report, unchanged: report.unchanged.length };
  });

export default function ListImport({ actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page">
      <h1>Import</h1>
      <ImportResult answer={actionData} />
      <p>
        <Link className="link" to={listTransferPath()}>
          Back to my list
        </Link>
      </p>
    </div>
  );
}
