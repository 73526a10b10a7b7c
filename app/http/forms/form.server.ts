import { data } from "react-router";
import type { z } from "zod";
import { done, type Issue, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import type { AdmitBytes } from "#app/platform/limits/byte-budget.ts";
import { currentClient } from "#app/platform/limits/current-client.server.ts";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";
import { issueText } from "#app/platform/validation-messages.ts";
import { busyHeaders, statusOfReason } from "../endpoint/error-response.server.ts";
import { isFormPost, listUnstorableText, readRequestBody } from "../endpoint/request-body.server.ts";

/** Reads the forms of our pages. A refused form is shown again with its issues and the typed values. */

type FormErrors = { message: string; issues: Issue[]; typed: Record<string, string> };

const defaultLimit = kibibytes(64);

/**
 * The bytes of large forms. The guard of admission counts them as uploads, which it limits only in number. While a form is
 * parsed, it takes several times its bytes, and one of eight mebibytes blocks all other requests for a third of a second.
 */
const largeForms = createFairShare({ total: mebibytes(32), perClient: mebibytes(10) });
/** How long a form keeps its share after it was read. */
const restMs = seconds(10);

export async function readPageForm<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
  { limit = defaultLimit } = {},
): Promise<Outcome<z.output<Schema>>> {
  // Our forms never send JSON. Checking a large nested body would block all other requests.
  const bodyLimit = isFormPost(request) ? limit : Math.min(limit, defaultLimit);
  const client = currentClient()?.ipBlock ?? "";
  const taken: (() => void)[] = [];
  let arrived = 0;
  const admit = (bytes: number) => {
    arrived += bytes;
    if (arrived <= defaultLimit) return true;
    const giveBack = largeForms.take(client, bytes);
    if (giveBack) taken.push(giveBack);
    return giveBack !== null;
  };
  try {
    return await readFields(schema, request, { limit: bodyLimit, admit });
  } finally {
    if (taken.length > 0) setTimeout(giveBackAll, restMs, taken).unref();
  }
}

function giveBackAll(taken: readonly (() => void)[]) {
  for (const giveBack of taken) giveBack();
}

async function readFields<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
  bounds: { limit: number; admit: AdmitBytes },
): Promise<Outcome<z.output<Schema>>> {
  const body = await readRequestBody(request, { ...bounds, forms: true });
  const unstorable = listUnstorableText(body);
  if (unstorable.length > 0)
    return refuse("invalid", "The form holds text that cannot be stored", unstorable);
  const parsed = schema.safeParse(body, { error: issueText });
  if (parsed.success) return done(parsed.data);
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  return refuse("invalid", "The form is not complete", issues);
}

/**
 * Shows the page again with its issues. Callers never put a password or token into `typed`. A sign-up code or an
 * invitation may be in it if the page is never stored.
 */
export const formErrorResponse = (
  { reason, message, issues = [] }: Refusal,
  typed: Record<string, string> = {},
) =>
  data<FormErrors>(
    { message: message ?? "That did not work. Try again shortly.", issues, typed },
    { status: statusOfReason(reason), headers: reason === "overloaded" ? busyHeaders : {} },
  );
