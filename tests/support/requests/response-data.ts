import { expect } from "vitest";

/** The `data` of an answer, after a check of its status and of `success`. */
export async function dataOf<Data = unknown>(answer: Promise<Response>, status = 200): Promise<Data> {
  const response = await answer;
  const body = (await response.json()) as { success: boolean; data: Data };
  expect([response.status, body], JSON.stringify(body)).toEqual([
    status,
    expect.objectContaining({ success: true }),
  ]);
  return body.data;
}

/** The body of an error answer, after a check that it has only the fields of the contract. */
export async function refusalOf(answer: Promise<Response>) {
  const response = await answer;
  const body = (await response.json()) as { error: string; status: number; issues?: unknown[] };
  expect(body.status).toBe(response.status);
  expect(typeof body.error).toBe("string");
  expect(
    Object.keys(body).filter((key) => !["error", "status", "issues", "retryAfter"].includes(key)),
  ).toEqual([]);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return body;
}

export const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

/** The HTML of a page, without the comments that React puts between text and values. */
export const htmlOf = async (answer: Response | Promise<Response>): Promise<string> =>
  (await (await answer).text()).replaceAll("<!-- -->", "");

type FormSender = { request(path: string, init: { form: Record<string, string> }): Promise<Response> };

/** Posts a form, checks the status of the answer and returns its HTML. */
export async function postForm(
  sender: FormSender,
  path: string,
  form: Record<string, string>,
  status = 200,
): Promise<string> {
  const response = await sender.request(path, { form });
  const html = await htmlOf(response);
  expect(response.status, html.slice(0, 500)).toBe(status);
  return html;
}

/** The words that a part of a page shows, with one space between them. */
export const wordsShown = (html = "") =>
  html
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
