import { data } from "react-router";
import type { EntryChange } from "#app/domain/library/library.ts";
import { signInFirst } from "#app/ui/forms/kept-text.ts";

/** The server's answer to an edit of the watch list; a refusal has only a message. */
export type EditAnswer = {
  message: string;
  /** Only a refusal has issues. */
  issues?: readonly unknown[];
  /** The data that the Undo button sends back. */
  undo?: (EntryChange | { malId: number; place: string; before?: undefined; after?: undefined })[];
  /** The answer to an undo says whether it changed the list. */
  isUndone?: boolean;
  /** The entry whose last episode the member has just watched. */
  offersCompleted?: { malId: number } | null;
  /** The title that a tick has moved from To Watch to Watching, which the member can end for all titles. */
  offersNever?: { malId: number } | null;
};

type Undo = NonNullable<EditAnswer["undo"]>;
type EditActionArgs<Answer> = { request: Request; serverAction(): Promise<Answer> };

/**
 * Answers a form that edits the list. A failed request would replace the page, even while a film is playing, so it is
 * answered as a refusal instead. A refused undo returns the undo again, so that its button stays. A note also stays: the
 * redirect to the sign-in page or to the profiles, after a long pause, would lose what somebody wrote for an hour.
 */
export async function answerToEdit<Answer extends Partial<EditAnswer>>({
  request,
  serverAction,
}: EditActionArgs<Answer>) {
  const copy = request.clone();
  let status = 200;
  let fields: FormData | undefined;
  const answer = await serverAction().catch(async (thrown: unknown): Promise<EditAnswer> => {
    // The router has aborted the request.
    if (request.signal.aborted) throw thrown;
    fields = await copy.formData();
    const isRedirect = thrown instanceof Response;
    if (isRedirect && !fields.get("notes")) throw thrown;
    // With this status the router does not reload the page's data, which would fail too.
    status = 503;
    const why = isRedirect ? signInFirst : whyNot(thrown);
    return { message: `Not saved. ${why}`, issues: [] };
  });
  if (answer.issues) fields ??= await copy.formData();
  const undo = fields?.get("intent") === "restore" ? fields.get("entries") : null;
  return data(undo ? { ...answer, undo: JSON.parse(`${undo}`) as Undo } : answer, status);
}

/** The error text from the server's answer: a page of the router, a short page without it, or JSON. */
function whyNot(thrown: unknown): string {
  const { data: sent } = thrown as { data?: { text?: { text: string }; error?: string } | string };
  const words = typeof sent === "string" ? /<p>([^<]+)/.exec(sent)?.[1] : (sent?.text?.text ?? sent?.error);
  return words ?? "Try again.";
}

let show: ((answer: EditAnswer) => void) | undefined;
let unshown: EditAnswer | undefined;

/**
 * Registers the page's notice, and returns how to remove it. The notice is a late part: an answer that came before its
 * script is shown now.
 */
export function showAnswersWith(notice: (answer: EditAnswer) => void) {
  show = notice;
  if (unshown) notice(unshown);
  unshown = undefined;
  return () => {
    show = undefined;
  };
}

/** True if the page can show answers. */
export const hasNotice = () => show !== undefined;

/** Shows the answer to a form that uses a fetcher. The page's `actionData` does not contain such answers. */
export function announce(answer: EditAnswer) {
  if (show) show(answer);
  else unshown = answer;
}

/** Answers a form of a page that has a notice, and shows the answer there. */
export async function announceAnswer<Answer extends EditAnswer>(args: EditActionArgs<Answer>) {
  const answer = await answerToEdit(args);
  announce(answer.data);
  return answer;
}
