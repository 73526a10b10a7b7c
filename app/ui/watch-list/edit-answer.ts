import { data } from "react-router";
import type { EntryChange } from "#app/domain/library/library.ts";

/** The server's answer to an edit of the watch list; a refusal has only a message. */
export type EditAnswer = {
  message: string;
  /** Only a refusal has issues. */
  issues?: readonly unknown[];
  /** What the Undo button sends back. */
  undo?: (EntryChange | { malId: number; place: string; before?: undefined; after?: undefined })[];
  /** The answer to an undo says whether it changed the list. */
  isUndone?: boolean;
  /** The entry whose last episode the member has just watched. */
  offersCompleted?: { malId: number } | null;
};

type Undo = NonNullable<EditAnswer["undo"]>;
type Sent<Answer> = { request: Request; serverAction(): Promise<Answer> };

/**
 * The answer to a form that edits the list. A request that fails would replace the page, also that of a film, so a refusal
 * takes the place of its answer. The refusal of an undo has the undo again, so that its button stays.
 */
export async function answerToEdit<Answer extends EditAnswer>({ request, serverAction }: Sent<Answer>) {
  const copy = request.clone();
  let status = 200;
  const answer = await serverAction().catch((thrown: unknown): EditAnswer => {
    // A redirect, as to the page to sign in; or the router wants no answer any more
    if (thrown instanceof Response || request.signal.aborted) throw thrown;
    // With this status, the page does not load its data again, which would fail too.
    status = 503;
    return { message: `Not saved. ${whyNot(thrown)}`, issues: [] };
  });
  const fields = answer.issues ? await copy.formData() : new FormData();
  const undo = fields.get("intent") === "restore" ? fields.get("entries") : null;
  return data(undo ? { ...answer, undo: JSON.parse(`${undo}`) as Undo } : answer, status);
}

/** The server's own words, from a page of the router, a short page without it, or JSON. */
function whyNot(thrown: unknown): string {
  const { data: sent } = thrown as { data?: { text?: { text: string }; error?: string } | string };
  const words = typeof sent === "string" ? /<p>([^<]+)/.exec(sent)?.[1] : (sent?.text?.text ?? sent?.error);
  return words ?? "Try again.";
}
