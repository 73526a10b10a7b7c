import { eq } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { getEditedTitle, listEditedRelations } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { listFranchiseTitles } from "#app/domain/franchises/franchises.server.ts";
import { deleteUnusedPictures } from "#app/domain/images/images.server.ts";
import { createLocalTitle, replaceLocalTitle } from "#app/domain/local-titles/local-titles.server.ts";
import { titlePath } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { imageUses, storedImages } from "#db/schema/images.ts";
import { exportedText } from "#tests/support/data/catalog-text.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { formOf, untouchedFields } from "#tests/support/requests/page-form.ts";
import { dataOf, htmlOf, postForm } from "#tests/support/requests/response-data.ts";
import { newMember, newOperator, Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

/** The operator's page for one title, whose forms are posted as a browser without scripts posts them. */

const operator = await newOperator({ username: "Olga Operator" });

let id = 0;
const page = () => `/admin/title?id=${id}`;
beforeEach(async () => {
  id = await someTitle();
  const line = { mal_id: id, title: `Porch ${id}`, episodes: 60, year: 2020, rating: "pg" };
  await importTitles([{ ...line, synopsis: "From the file", title_synonyms: ["Veranda", "Deck"] }]);
});

const open = (path = page()) => htmlOf(operator.request(path));
const post = (form: Record<string, string>, status?: number, by = operator) =>
  postForm(by, page(), form, status);
/** The page's own form, with some fields changed. */
async function save(field: string, typed: Record<string, string>, path = page()) {
  const fields = untouchedFields(await formOf(operator, path, field));
  for (const [name, text] of Object.entries(typed)) fields.set(name, text);
  return Object.fromEntries(fields);
}
const facts = async () => {
  const title = await getEditedTitle(id);
  if (!title.ok) throw new Error("no such title");
  return title.value.fields;
};

test("submitting an unchanged form locks no field", async () => {
  const html = await post({ ...(await save("titleEnglish", {})), intent: "save" });
  expect(html).toContain("Nothing was different");
  expect(Object.values(await facts()).filter(({ source }) => source === "operator")).toEqual([]);
});

test("only changed fields are locked; they name who locked them, and follow the sources once unlocked", async () => {
  const typed = { titleEnglish: "The Porch", rating: "r", airedFrom: "2020-04-05" };
  const html = await post({ ...(await save("titleEnglish", typed)), intent: "save" });
  expect(html).toContain("Locked by you.");
  const locked = Object.values(await facts()).filter(({ source }) => source === "operator");
  expect(locked.map(({ field }) => field)).toEqual(["titleEnglish", "airedFrom", "rating"]);
  const other = await newOperator({ username: "Otto Other" });
  expect(await htmlOf(other.request(page()))).toContain("Locked by Olga Operator.");
  expect(await htmlOf(new Visitor().request(`/anime/${id}/porch-${id}`))).toContain("The Porch");
  await post({ intent: "unlock", field: "rating" });
  expect((await facts()).rating).toMatchObject({ text: "pg", source: "file" });
});

test("a field that an import changed after the page was opened is not locked to its old text", async () => {
  const form = await save("titleEnglish", { titleEnglish: "The Porch" });
  await importTitles([{ mal_id: id, title: `Porch ${id}`, synopsis: "Newer" }]);
  await post({ ...form, intent: "save" });
  expect((await facts()).synopsis).toMatchObject({ text: "Newer", source: "file" });
});

test("a wrong value is refused beside its field, keeps the typed text, and nothing is saved", async () => {
  const html = await post(
    { ...(await save("titleEnglish", { year: "20x0", titleEnglish: "Typed" })), intent: "save" },
    400,
  );
  expect(html).toContain("must be a number");
  expect(html).toContain('value="20x0"');
  expect(html).toContain('value="Typed"');
  expect((await facts()).titleEnglish.text).toBe("");
});

test("a last day before the first day is refused, and the refusal links to the field", async () => {
  await post({ ...(await save("titleEnglish", { airedFrom: "2020-04-05" })), intent: "save" });
  const html = await post(
    { ...(await save("titleEnglish", { airedTo: "2020-04-04" })), intent: "save" },
    400,
  );
  expect(html).toContain("must not be before the first day");
  expect(html).toMatch(/One of the fields is not valid[^\n]*<a [^>]*href="#field-airedTo"[^>]*>Last day</);
  expect(html).toContain('id="field-airedTo"');
  expect((await facts()).airedTo.text).toBe("");
  await post({ ...(await save("titleEnglish", { airedTo: "2020-04-05" })), intent: "save" });
  expect((await facts()).airedTo.text).toBe("2020-04-05");
});

test("the history says who changed what and when, and undoes the newest edit of a field", async () => {
  await post({ ...(await save("titleEnglish", { synopsis: "First words" })), intent: "save" });
  await post({ ...(await save("titleEnglish", { synopsis: "Second words" })), intent: "save" });
  const html = await open();
  expect(html).toContain("Olga Operator");
  expect(html).toContain("“First words”");
  const edits = [...html.matchAll(/name="edit" value="([^"]+)"/g)].map(([, edit = ""]) => edit);
  expect(edits).toHaveLength(1);
  expect(await post({ intent: "undo", edit: edits[0] ?? "" })).toContain("Undone.");
  expect((await facts()).synopsis.text).toBe("First words");
  await post({ intent: "undo", edit: edits[0] ?? "" }, 409);
});

test("an edit stays, without a name, after its operator's account is deleted", async () => {
  const leaving = await newOperator({ username: "Leaving Operator" });
  await post({ ...(await save("titleEnglish", { synopsis: "Stays" })), intent: "save" }, 200, leaving);
  await dataOf(
    leaving.request("/api/user/account", { method: "DELETE", json: { password: leaving.password } }),
  );
  const html = await open();
  expect(html).toContain("Locked by an operator.");
  expect(html).not.toContain("Leaving Operator");
});

test("names and days of episodes are saved page by page", async () => {
  const second = `${page()}&episodes=2`;
  const form = await save(
    "episode 51 title",
    { "episode 51 title": "Dusk", "episode 52 airedAt": "2021-05-06" },
    second,
  );
  const response = await operator.request(second, { form: { ...form, intent: "save-episodes" } });
  expect(response.status).toBe(200);
  const listed = await (await request(`/api/episodes?id=${id}&page=1`)).text();
  expect(listed).toContain("Dusk");
  expect(listed).toContain("2021-05-06");
  const refused = await post({ ...form, "episode 51 airedAt": "soon", intent: "save-episodes" }, 400);
  expect(refused).toContain("Episode 51: ");
  expect(refused).not.toContain('href="#field-');
});

test("a related title is found by name, added, removed and unlocked", async () => {
  const other = await someTitle();
  await importTitles([{ mal_id: other, title: `Terrace of ${id}` }]);
  const html = await open(`${page()}&related=Terrace of ${id}`);
  expect(html).toContain(`value="${other}"`);
  const form = { relation: "sequel", related: String(other) };
  await post({ ...form, intent: "add-relation" });
  expect(await listEditedRelations(id)).toMatchObject([{ relatedId: other, isPresent: true }]);
  await post({ ...form, intent: "remove-relation" });
  expect(await open()).toContain("(removed)");
  await post({ intent: "unlock", field: `relation ${other} sequel` });
  expect(await listEditedRelations(id)).toEqual([]);
});

test("the franchise is corrected by the number of another title, listed and unlocked", async () => {
  const other = await someTitle();
  await importTitles([{ mal_id: other, title: `Terrace of ${id}` }]);
  const form = { intent: "correct-franchise", correction: "joined", other: String(other) };
  await post({ ...form, other: "" }, 400);
  await post({ ...form, other: String(id) }, 400);
  for (const correction of ["joined", "moved", "after"])
    expect(await post({ ...form, correction, other: "899999999" }, 404)).toContain(
      "There is no title of this number",
    );
  await post(form);
  expect(await listFranchiseTitles(id)).toEqual([id, other]);
  const html = await open();
  expect(html).toContain(">What is right</span>");
  expect(html).toContain(`its franchise is the same as that of title ${other}`);
  expect(html).toContain("Locked by you.");
  await post({ ...form, correction: "after" });
  expect(await listFranchiseTitles(id)).toEqual([other, id]);
  expect(await open()).toContain(`after title ${other}<`);
  await post({ intent: "unlock", field: "franchise joined" });
  expect(await listFranchiseTitles(id)).toEqual([id]);
  // The place is still locked, and the page says that it decides nothing.
  expect(await open()).toContain(`after title ${other} (without effect now)`);
});

test("a place in the story is refused without a common franchise, which the answer names", async () => {
  const [other, apart, afterApart] = [await someTitle(), await someTitle(), await someTitle()];
  await importTitles([
    { mal_id: other, title: `Terrace of ${id}` },
    { mal_id: apart, title: `Cellar of ${id}` },
    { mal_id: afterApart, title: `Attic of ${id}` },
    { kind: "relation", from: apart, to: afterApart, relation: "sequel" },
  ]);
  const form = { intent: "correct-franchise", correction: "after" };
  for (const one of ["", String(apart)])
    expect(await post({ ...form, other: one }, 400)).toContain(
      "This title is in no franchise with others. Join it to one first.",
    );
  const third = await someTitle();
  await importTitles([{ kind: "relation", from: id, to: third, relation: "sequel" }]);
  expect(await post({ ...form, other: String(apart) }, 400)).toContain(
    `Cellar of ${id} is in another franchise. Join the two first.`,
  );
  expect(await post({ ...form, other: String(other) }, 400)).toContain(
    `Terrace of ${id} is in no franchise with others. Join the two first.`,
  );
  expect(await open()).not.toContain("Place in the story");
});

test("a correction by the number of a local title that was replaced names the title in its place", async () => {
  const actor = { kind: "command", ip: null } as const;
  const made = await createLocalTitle({ name: "Attic Films", type: "TV", sameAs: [] }, actor);
  const local = made.ok ? made.value.malId : 0;
  const other = await someTitle();
  await importTitles([{ mal_id: other, title: `Terrace of ${id}` }]);
  expect(await replaceLocalTitle({ from: local, to: other }, actor)).toMatchObject({ ok: true });
  await post({ intent: "correct-franchise", correction: "joined", other: String(local) });
  expect(await listFranchiseTitles(id)).toEqual([id, other]);
});

test("an uploaded picture becomes the poster, survives the deletion of unused uploads, and is in no export", async () => {
  const red = { create: { width: 300, height: 300, channels: 3 as const, background: "#d02020" } };
  const body = new FormData();
  body.set("image", new Blob([await sharp(red).png().toBuffer()]), "red.png");
  const sent = await operator.request(`/admin/title/picture?id=${id}`, { method: "POST", body });
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, page()]);
  const { text } = (await facts()).picture;
  expect(text).toMatch(/^\/ipfs\//);
  await db.delete(imageUses);
  await deleteUnusedPictures();
  expect(await db.$count(storedImages, eq(storedImages.cid, text.replace("/ipfs/", "")))).toBe(1);
  const poster = await request(`/poster/${id}.jpg`);
  const { dominant } = await sharp(Buffer.from(await poster.arrayBuffer())).stats();
  expect(dominant.r).toBeGreaterThan(180);
  const exported = await exportedText();
  expect(exported).toContain(`Porch ${id}`);
  expect(exported).not.toContain("/ipfs/");
  await post({ intent: "remove-picture" });
  expect((await facts()).picture).toMatchObject({ text: "", source: "operator" });
});

test("a poster's address changes with its picture, also for visitors, and other posters keep theirs", async () => {
  const other = await someTitle();
  await importTitles([{ mal_id: other, title: `Terrace of ${id}` }]);
  const posterOf = async (malId: number) => {
    const name = malId === id ? `Porch ${id}` : `Terrace of ${id}`;
    const html = await htmlOf(new Visitor().request(titlePath(malId, name)));
    return new RegExp(`/poster/${malId}\\.webp\\?w=320[^" ]*`).exec(html)?.[0];
  };
  const plain = [`/poster/${id}.webp?w=320`, `/poster/${other}.webp?w=320`];
  expect([await posterOf(id), await posterOf(other)]).toEqual(plain);
  await post({ intent: "remove-picture" });
  const first = await posterOf(id);
  expect(first).toMatch(/&amp;v=[0-9a-f]+$/);
  await post({ intent: "unlock", field: "picture" });
  expect([first, plain[0]]).not.toContain(await posterOf(id));
  expect(await posterOf(other)).toBe(plain[1]);
});

test("a file that is no picture is refused in words, and so is a member's picture", async () => {
  const body = () => {
    const form = new FormData();
    form.set("image", new Blob(["no picture"]), "red.png");
    return form;
  };
  const path = `/admin/title/picture?id=${id}`;
  const refused = await operator.request(path, { method: "POST", body: body() });
  const location = refused.headers.get("Location") ?? "";
  expect(await open(location)).toContain("This is not a picture that can be read");
  expect((await (await newMember()).request(path, { method: "POST", body: body() })).status).toBe(403);
  expect((await facts()).picture.text).toBe("");
});

test("operators reach the page from the title's page and by name; others see no link", async () => {
  const link = `href="/admin/title?id=${id}"`;
  expect(await open(`/anime/${id}/porch-${id}`)).toContain(link);
  expect(await htmlOf((await newMember()).request(`/anime/${id}/porch-${id}`))).not.toContain(link);
  expect(await open(`/admin/title?q=Porch ${id}`)).toContain(link);
  expect(await open(`/admin/title?q=${id}`)).toContain(link);
  expect(await open("/admin/title?id=99999999999")).toContain("Name or catalog number");
});

test("an operator creates a missing title, later finds the real one by name, and confirms the replacement", async () => {
  const refused = await operator.request("/admin/title", {
    form: { intent: "create-local", title: "Attic", sameAs: "nowhere" },
  });
  expect(refused.status).toBe(400);
  const field = /<input[^>]*name="sameAs"[^>]*>/.exec(await refused.clone().text())?.[0];
  const [, errorId] = /aria-describedby="([^"]+)"/.exec(field ?? "") ?? [];
  expect(field).toContain('aria-invalid="true"');
  expect(await refused.text()).toMatch(new RegExp(`id="${errorId}">.*?must be ids such as mal:5114`));
  const form = { intent: "create-local", title: "Attic Films", type: "OVA", sameAs: "anidb:77 mal:991234" };
  const made = await operator.request("/admin/title", { form });
  const address = made.headers.get("Location") ?? "";
  expect([made.status, address]).toEqual([303, expect.stringMatching(/^\/admin\/title\?id=9001\d{5}$/)]);
  const local = Number(address.split("=")[1]);
  const found = await open(`${address}&same=Porch ${id}`);
  const confirm = new RegExp(`href="([^"]*by=${id})"`).exec(found)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(await open(confirm)).toContain(
    "0 members have it on a list or in the history. This cannot be undone.",
  );
  const replaced = await operator.request(address, { form: { intent: "replace", by: String(id) } });
  expect([replaced.status, replaced.headers.get("Location")]).toEqual([303, page()]);
  expect((await operator.request(`/anime/${local}/attic-films`)).status).toBe(301);
  expect(await open(page())).not.toContain("This is a local title");
});

test("the only name of a local title cannot be unlocked", async () => {
  const actor = { kind: "command", ip: null } as const;
  const made = await createLocalTitle({ name: "Attic Films", type: "TV", sameAs: [] }, actor);
  id = made.ok ? made.value.malId : 0;
  expect(await post({ intent: "unlock", field: "title" }, 409)).toContain("so its name stays");
  await post({ ...(await save("titleEnglish", { title: "Cellar Films" })), intent: "save" });
  await post({ intent: "unlock", field: "title" }, 409);
  expect((await facts()).title.text).toBe("Cellar Films");
});
