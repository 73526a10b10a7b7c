import { data } from "react-router";
import type { z } from "zod";
import { done, type Issue, type Outcome, type Refusal, refuse } from "../domain/errors.ts";
import { kibibytes } from "../platform/byte-size.ts";
import { statusOf } from "./error-response.server.ts";
import { readBody, unstorableText } from "./request-body.server.ts";

/** The forms of our own pages: what is wrong with one is shown in it, beside what was typed. */

export type FormFaults = { message: string; issues: Issue[]; typed: Record<string, string> };

export async function readForm<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
): Promise<Outcome<z.output<Schema>>> {
  const body = await readBody(request, { limit: kibibytes(64), forms: true });
  const unstorable = unstorableText(body);
  if (unstorable.length > 0)
    return refuse("invalid", "The form holds text that cannot be stored", unstorable);
  const parsed = schema.safeParse(body);
  if (parsed.success) return done(parsed.data);
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  return refuse("invalid", "The form is not complete", issues);
}

/** Shows a page again with its faults. Passwords and tokens are never among what is `typed`. */
export const formFaults = ({ reason, message, issues = [] }: Refusal, typed: Record<string, string> = {}) =>
  data<FormFaults>(
    { message: message ?? "That did not work. Try again shortly.", issues, typed },
    { status: statusOf(reason), headers: reason === "overloaded" ? { "Retry-After": "2" } : {} },
  );
