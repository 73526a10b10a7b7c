import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { desc, eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** An operator without a command line uploads a file of titles. */

const dataDir = temporaryFolder("sent-catalog");
process.env.DATA_DIR = dataDir;
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { securityEvents } = await import("#db/schema/events.ts");
const { runOnOneInstance } = await import("#db/one-instance.server.ts");

const operator = await newOperator();

const lines = [
  { kind: "title", mal_id: 810001, title: "Kawa no Uta", type: "TV", episodes: 12 },
  { kind: "title", mal_id: 810002, title: "Kawa no Uta 2", type: "TV", episodes: 12 },
  { kind: "title", mal_id: 0, title: "Nothing" },
];
const file = gzipSync(lines.map((line) => JSON.stringify(line)).join("\n"));

async function send(visitor: InstanceType<typeof Visitor>, bytes: Uint8Array) {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], "titles.ndjson.gz"));
  const answer = await visitor.request("/admin/catalog-file", { method: "POST", body: form });
  return { status: answer.status, location: answer.headers.get("Location"), html: await answer.text() };
}
const found = async () =>
  (
    await db
      .select({ title: titles.title })
      .from(titles)
      .where(inArray(titles.malId, [810001, 810002]))
  ).length;

describe("an uploaded file of titles", () => {
  test("is read only from an operator", async () => {
    expect((await send(await newMember(), file)).status).toBe(403);
    expect((await send(new Visitor(), file)).location).toMatch(/^\/signin/);
    expect(await found()).toBe(0);
  });

  test("is imported, and the page lists imported and refused records", async () => {
    const { status, html } = await send(operator, file);
    expect(html).toContain("Titles: 2 new, 0 changed, 0 as before. Refused: 1.");
    expect(html).toMatch(/What was refused[\s\S]*mal_id/);
    expect([status, await found()]).toEqual([200, 2]);
    const [event] = await db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.kind, "catalog_imported"))
      .orderBy(desc(securityEvents.at));
    expect(event).toMatchObject({ actor: "operator", detail: "titles: 2 new" });
    expect((await send(operator, file)).html).toContain("Titles: 0 new, 0 changed, 2 as before.");
  });

  test("counts the relations of a file that has no titles", async () => {
    const relation = { kind: "related", from: 810001, to: 810002 };
    const { html } = await send(operator, Buffer.from(JSON.stringify(relation)));
    expect(html).toContain("Relations, episodes and videos: 1 new, 0 changed, 0 as before.");
    const [event] = await db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.kind, "catalog_imported"))
      .orderBy(desc(securityEvents.at));
    expect(event).toMatchObject({ detail: "relations, episodes and videos: 1 new" });
  });

  test("is refused in words if it is damaged, empty or no such file", async () => {
    const damaged = await send(operator, file.subarray(0, 60));
    expect(damaged.html).toMatch(/The file is incomplete or damaged/);
    const other = await send(operator, Buffer.from("<html>"));
    expect([other.status, other.html]).toEqual([400, expect.stringMatching(/The (?:file|content)/)]);
    expect((await send(operator, Buffer.from(""))).html).toContain(
      "There is no file in this request, or it is empty.",
    );
    expect(readdirSync(dataDir).filter((name) => name.startsWith("sent-catalog"))).toEqual([]);
  });

  test("does not wait while another file is imported", async () => {
    await runOnOneInstance("import of a sent catalog", async () => {
      const { status, html } = await send(operator, file);
      expect([status, html]).toEqual([409, expect.stringContaining("Another file is being imported.")]);
    });
  });
});
