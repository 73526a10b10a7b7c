import { UNSAFE_ErrorResponseImpl as ErrorResponse, redirect } from "react-router";
import { expect, test } from "vitest";
import { messagePage } from "#app/http/forms/message-page.server.ts";
import { overloadTexts } from "#app/ui/shell/error-page.tsx";
import { announce, answerToEdit, type EditAnswer, showAnswersWith } from "#app/ui/watch-list/edit-answer.ts";

const undo = [{ malId: 1, place: "suggestions" }];

const requestOf = (fields: Record<string, string>, signal?: AbortSignal) =>
  new Request("http://site.test/list", {
    method: "POST",
    body: new URLSearchParams(fields),
    signal: signal ?? null,
  });

async function answerAfter(thrown: unknown, fields: Record<string, string> = { intent: "save" }) {
  const request = requestOf(fields);
  return answerToEdit<EditAnswer>({
    request,
    serverAction: async () => {
      await request.text();
      throw thrown;
    },
  });
}

const messageAfter = async (status: number, data: unknown) =>
  (await answerAfter(new ErrorResponse(status, "", data))).data.message;

test("a refused edit shows the words of the page, the short page or the JSON that refused it", async () => {
  expect(await messageAfter(429, await messagePage(overloadTexts.tooMany, 429).text())).toBe(
    "Not saved. Wait a minute, then try again.",
  );
  expect(
    await messageAfter(403, { text: { title: "Sent from another site", text: "Open the page here." } }),
  ).toBe("Not saved. Open the page here.");
  expect(await messageAfter(413, { error: "The form is larger than 64 KB", status: 413 })).toBe(
    "Not saved. The form is larger than 64 KB",
  );
});

test("a failed edit without words of the server asks to try again, and the page does not reload its data", async () => {
  expect(await messageAfter(502, "<html><h1>502 Bad Gateway</h1></html>")).toBe("Not saved. Try again.");
  const { data, init } = await answerAfter(new TypeError("Failed to fetch"));
  expect(data).toEqual({ message: "Not saved. Try again.", issues: [] });
  expect(init).toEqual({ status: 503 });
});

test("a failed or refused undo can be tried again, and an answered one cannot", async () => {
  const fields = { intent: "restore", entries: JSON.stringify(undo) };
  const answered = async (answer: EditAnswer) =>
    (await answerToEdit({ request: requestOf(fields), serverAction: async () => answer })).data.undo;
  expect((await answerAfter(new TypeError("Failed to fetch"), fields)).data.undo).toEqual(undo);
  expect(await answered({ message: "The site is busy", issues: [] })).toEqual(undo);
  expect(await answered({ message: "Undid the change of Cowboy Bebop", isUndone: true })).toBeUndefined();
});

test("a note is kept when the session has ended, instead of leading to the sign-in page without it", async () => {
  const toSignIn = redirect("/signin?redirectTo=%2Flist");
  const { data, init } = await answerAfter(toSignIn, { intent: "save", notes: "Watch it again in spring" });
  expect(data).toEqual({
    message: "Not saved. In another tab, sign in or choose your profile. Then save again.",
    issues: [],
  });
  expect(init).toEqual({ status: 503 });
  await expect(answerAfter(toSignIn, { intent: "save", notes: "" })).rejects.toBe(toSignIn);
});

test("a redirect, or a request that the router has dropped, is not shown as an answer", async () => {
  const toSignIn = redirect("/auth/signin");
  await expect(answerAfter(toSignIn)).rejects.toBe(toSignIn);
  const request = requestOf({}, AbortSignal.abort());
  const aborted = new DOMException("aborted", "AbortError");
  await expect(answerToEdit({ request, serverAction: () => Promise.reject(aborted) })).rejects.toBe(aborted);
});

test("an answer that comes before the notice is shown once, when the notice is there", () => {
  const [early, late] = [{ message: "Saved A" }, { message: "Saved B" }];
  const shown: EditAnswer[] = [];
  announce(early);
  const remove = showAnswersWith((answer) => shown.push(answer));
  expect(shown).toEqual([early]);
  announce(late);
  remove();
  showAnswersWith((answer) => shown.push(answer))();
  expect(shown).toEqual([early, late]);
});
