import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The import form, posted as a browser without scripts posts it. */

const path = "/list/import";
const [known, other] = [await someTitle({ episodes: 12 }), await someTitle()];
const entry = (malId: number, fields = {}) => ({ mal_id: malId, type: "Watching", ...fields });
const listFile = (...entries: object[]) => JSON.stringify({ format: "engawa-list", version: 1, entries });

async function post(member: Visitor, file: string, fields: Record<string, string> = { intent: "import" }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new Blob([file]), "list.json");
  const response = await member.request(path, {
    method: "POST",
    body: form,
    headers: { Accept: "text/html" },
  });
  const html = await htmlOf(response);
  return { status: response.status, html };
}
const listed = async (member: Visitor) =>
  ((await (await member.request("/api/user/watchList")).json()) as { data: { progress: number }[] }).data;

test("without scripts, a form shows what an import added, changed and left out, undoes it, and leads to the list", async () => {
  const member = await newMember();
  await member.request("/api/user/watchList", { json: { animeId: known, type: "Watching", progress: 1 } });
  const file = listFile(
    entry(known, { progress: 40, score: 8 }),
    entry(other),
    entry(2_000_000_001, { title: "Nowhere" }),
  );

  const preview = await post(member, file, { intent: "preview" });
  expect(preview.status).toBe(200);
  expect(preview.html).toContain("This would add 1 title, change 1 and leave 0 as they are.");
  expect(preview.html).not.toContain("Undo the import");
  expect(await listed(member)).toMatchObject([{ progress: 1 }]);

  const { status, html } = await post(member, file);
  expect(status).toBe(200);
  for (const text of [
    "<h1>Import a list</h1>",
    "Added 1 title, changed 1 and left 0 as they are.",
    `Title ${other}`,
    `Title ${known}: episode 1 → 12, score none → 8`,
    "Nowhere is not in this catalog",
    `Title ${known}: 40 episodes seen in the file became 12`,
    'href="/list"',
    'name="file"',
  ])
    expect(html).toContain(text);
  expect(await listed(member)).toHaveLength(2);
  const again = await post(member, listFile(entry(other)), { intent: "preview" });
  expect(again.html).toContain("This would add 0 titles, change 0 and leave 1 as it is.");

  const undo = /action="(\/list\/import\?undo=[^"]+)"/.exec(html)?.[1] ?? "";
  const undone = await member.request(undo, { form: {}, headers: { Accept: "text/html" } });
  expect([undone.status, await undone.text()]).toEqual([
    200,
    expect.stringContaining("The import is undone."),
  ]);
  expect(await listed(member)).toMatchObject([{ progress: 1 }]);
  const undoneTwice = await member.request(undo, { form: {}, headers: { Accept: "text/html" } });
  expect([undoneTwice.status, await undoneTwice.text()]).toEqual([
    404,
    expect.stringMatching(/role="alert"/),
  ]);
});

test("the form counts titles that the member may not see only when an import changes them", async () => {
  const member = await newMember();
  const file = listFile(entry(await someTitle({ rating: "rx" })));
  const preview = await post(member, file, { intent: "preview" });
  expect(preview.html).toContain("It would also add or change 1 title that you may not see.");
  expect((await post(member, file)).html).toContain("It also added or changed 1 title that you may not see.");
  expect((await post(member, file)).html).not.toContain("that you may not see");
});

test("the report of an import names titles in the reader's language, and only its summary is a status", async () => {
  const named = await someTitle({ titleEnglish: "Spring Rain", episodes: 3 });
  const member = await newMember();
  const saved = await member.request("/api/saveUserPreferences", { json: { titleLanguage: "english" } });
  expect(saved.status).toBe(200);
  const file = listFile(entry(named, { progress: 5 }));
  for (const intent of ["preview", "import"]) {
    const { html } = await post(member, file, { intent });
    expect(html).toContain("<li>Spring Rain</li>");
    expect(html).toContain("Spring Rain: 5 episodes seen in the file became 3");
    expect(html).not.toContain(`Title ${named}`);
    expect(html).toMatch(/<p role="status">[^<]*1 title, [^<]* as they are\.<\/p>/);
  }
});

test("without scripts, a refused file is named on the page, with the form to choose another one", async () => {
  const member = await newMember();
  for (const [file, message] of [
    ["a,b", "This is a text or CSV file"],
    ["", "There is no file in this request, or it is empty"],
    ['{"lists":[{"entries":[{"media":{"chapters":3}}]}]}', "This is a manga list from AniList"],
  ] as const) {
    const { status, html } = await post(member, file);
    expect(status, file).toBe(400);
    expect(html).toMatch(new RegExp(`role="alert".*${message}`, "s"));
    expect(html).toContain('name="file"');
  }
  expect(await listed(member)).toEqual([]);
});

test("the page of an import can be opened alone, and leads a visitor to sign in and back", async () => {
  const page = await (await newMember()).request(path);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('name="file"')]);
  const refused = await new Visitor().request(path);
  expect([refused.status, refused.headers.get("Location")]).toEqual([
    302,
    "/signin?redirectTo=%2Flist%2Fimport",
  ]);
});
