import { Link, redirect } from "react-router";
import { z } from "zod";
import {
  importList,
  previewImport,
  readUploadedList,
  undoImport,
} from "#app/domain/library/library.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { readUploadedFile } from "#app/http/uploaded-file.server.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { type ImportAnswer, ImportResult } from "#app/ui/watch-list/list-transfer.tsx";
import type { Route } from "./+types/list-import";

/** Where the list's import form posts to; without scripts its answer is a page of its own. */
export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Import a list", description: "Bring a list along." });

export const loader = () => redirect("/list#transfer");

export async function action({ request, context, url }: Route.ActionArgs): Promise<ImportAnswer> {
  const { id } = currentUser(context);
  const undo = url.searchParams.get("undo");
  try {
    return undo === null ? await bringIn(id, request) : await takeBack(id, undo);
  } catch (error) {
    // A body that could not be read; the API answers so, a page says so.
    if (!(error instanceof Response)) throw error;
    const { error: message } = (await error.json()) as { error: string };
    return { kind: "refused", message };
  }
}

async function takeBack(userId: string, undo: string): Promise<ImportAnswer> {
  const nothing = "There is nothing to take back";
  if (!z.guid().safeParse(undo).success) return { kind: "refused", message: nothing };
  const undone = await undoImport(userId, undo);
  return undone.ok ? { kind: "undone" } : { kind: "refused", message: undone.message ?? nothing };
}

const bringIn = (userId: string, request: Request): Promise<ImportAnswer> =>
  readUploadedFile(request, async (bytes, { intent, scores, dropped }) => {
    const file = await readUploadedList(bytes, { withDropped: dropped === "1" });
    if (!file.ok) return { kind: "refused", message: file.message ?? "The file could not be read" };
    const isPreview = intent !== "import";
    const how = { replaceScores: scores === "replace" };
    const report = await (isPreview ? previewImport : importList)(userId, file.value, how);
    return { kind: "told", isPreview, ...report, unchanged: report.unchanged.length };
  });

export default function ListImport({ actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page">
      <h1>Import</h1>
      <ImportResult answer={actionData} />
      <p>
        <Link className="link" to="/list#transfer">
          Back to my list
        </Link>
      </p>
    </div>
  );
}
