import { data } from "react-router";
import type { z } from "zod";
import { done, type Issue, type Outcome, type Refusal, refuse, refuseFields } from "#app/domain/errors.ts";
import { type AdmitBytes, createByteBudget } from "#app/platform/limits/byte-budget.ts";
import { currentClient } from "#app/platform/limits/current-client.server.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";
import { issueText } from "#app/platform/validation-messages.ts";
import { statusOfReason } from "../endpoint/error-response.server.ts";
import { isFormPost, listUnstorableText, readRequestBody } from "../endpoint/request-body.server.ts";

/** Reads the forms of our pages. A refused form is shown again with its issues and the typed values. */

type FormErrors = { message: string; issues: Issue[]; typed: Record<string, string> };

const defaultLimit = kibibytes(64);

/**
 * The bytes of large forms. The guard of admission counts them as uploads, which it limits only in number. A form that is
 * parsed takes several times its bytes, and while its values are checked, no other request is answered. So a form keeps
 * its bytes for a while after it was parsed.
 */
const withLargeForm = createByteBudget(
  { total: mebibytes(Math.max(16, memoryPlan.requestBodies)), perClient: mebibytes(10) },
  { restMs: seconds(10) },
);
const countRefusal = createRefusalCounter(
  "forms",
  "Too many large forms arrive within ten seconds, so some get 503",
);

export async function readPageForm<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
  { limit = defaultLimit } = {},
): Promise<Outcome<z.output<Schema>>> {
  // Our forms never send JSON. Checking a large nested body would block all other requests.
  const bodyLimit = isFormPost(request) ? limit : Math.min(limit, defaultLimit);
  return withLargeForm(currentClient()?.ipBlock ?? "", (admitLarge) => {
    let arrived = 0;
    let isAdmitted = false;
    // A form takes the memory of its whole length at once. Otherwise many forms that arrive at the same time would each
    // get a part of the budget, be read for nothing, and be refused in the end.
    const admit = (bytes: number) => {
      arrived += bytes;
      if (arrived <= defaultLimit || isAdmitted) return true;
      isAdmitted = admitLarge(Number(request.headers.get("Content-Length") ?? limit));
      if (!isAdmitted) countRefusal();
      return isAdmitted;
    };
    return readFields(schema, request, { limit: bodyLimit, admit });
  });
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
  // The issue of a union says of no field what is wrong, although that of a discriminated union has the path of `intent`.
  const isOfField = issues[0]?.path && parsed.error.issues[0]?.code !== "invalid_union";
  return isOfField ? refuseFields(issues) : refuse("invalid", "The form is not complete", issues);
}

/** The texts of a form as they were typed. A refused form shows them again. */
export const typedTexts = (form: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      value === null || typeof value === "string" ? [[name, value ?? ""]] : [],
    ),
  );

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
    { status: statusOfReason(reason) },
  );
