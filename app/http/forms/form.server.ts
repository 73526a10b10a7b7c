import { data } from "react-router";
import type { z } from "zod";
import { done, type Issue, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { kibibytes } from "#app/platform/units.ts";
import { issueText } from "#app/platform/validation-messages.ts";
import { busyHeaders, statusOfReason } from "../endpoint/error-response.server.ts";
import { isFormPost, listUnstorableText, readRequestBody } from "../endpoint/request-body.server.ts";

/** Reads the forms of our pages. A refused form is shown again with its issues and the typed values. */

type FormErrors = { message: string; issues: Issue[]; typed: Record<string, string> };

const defaultLimit = kibibytes(64);

export async function readPageForm<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
  { limit = defaultLimit } = {},
): Promise<Outcome<z.output<Schema>>> {
  // Our forms never send JSON. Checking a large nested body would block all other requests.
  const bodyLimit = isFormPost(request) ? limit : Math.min(limit, defaultLimit);
  const body = await readRequestBody(request, { limit: bodyLimit, forms: true });
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
