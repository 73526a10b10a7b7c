import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, setParentalControl, type Visitor } from "#tests/support/requests/visitor.ts";

/** A member with parental control uses the API on a title that parental control hides. */

const [mature, shown] = [
  await someTitle({ rating: "rx", episodes: 12, title: "Hidden name" }),
  await someTitle({ episodes: 12 }),
];

const listOf = (member: Visitor) =>
  dataOf<{ mal_id: number; type: string; progress: number }[]>(member.request("/api/user/watchList"));
const idsOf = async (member: Visitor) => (await listOf(member)).map(({ mal_id }) => mal_id);

type Report = Record<"added" | "changed" | "unchanged" | "unmatched" | "clamped", object[]> & {
  hidden: number;
  undo: string | null;
};
const importFile = (member: Visitor, query = "", progress = 3) => {
  const entries = [mature, shown].map((mal_id) => ({ mal_id, type: "Watching", progress }));
  const body = JSON.stringify({ format: "engawa-list", version: 1, entries });
  return dataOf<Report>(member.request(`/api/user/watchList/import${query}`, { method: "POST", body }));
};

test("a hidden title gets 404 when it is added, changed or played, like an unknown one", async () => {
  const member = await newMember();
  const requests = (animeId: number) => [
    member.request("/api/user/watchList", { json: { animeId, type: "Watching" } }),
    member.request("/api/user/watchList", { method: "PUT", json: { animeId, type: "Watching" } }),
    member.request("/api/user/progress", {
      method: "PUT",
      json: { mal_id: animeId, ep: 1, position: 95, duration: 100 },
    }),
  ];
  for (const [index, unknown] of requests(2_000_000_002).entries()) {
    const refusal = await refusalOf(unknown);
    expect(refusal.status).toBe(404);
    expect(await refusalOf(requests(mature)[index]!)).toEqual(refusal);
  }
  await setParentalControl(member, false);
  expect(await idsOf(member)).toEqual([]);
  for (const request of requests(mature)) expect((await request).status).toBe(200);
  expect(await idsOf(member)).toEqual([mature]);
});

test("a hidden title's entry can be removed but not changed, and answers are as if it were not on the list", async () => {
  const member = await newMember();
  const list = async () => {
    await setParentalControl(member, false);
    await dataOf(member.request("/api/user/watchList", { json: { animeId: mature, type: "Watching" } }));
    await setParentalControl(member, true);
  };
  const listed = async () => {
    await setParentalControl(member, false);
    return listOf(member);
  };
  const post = async (form: Record<string, string>) =>
    (await (await member.request("/list", { form })).text()).replace(/nonce="[^"]*"/g, "");
  await list();
  for (const form of [
    { intent: "bulk-move", type: "Completed", [`title-${mature}`]: "on" },
    { intent: "save", mal_id: String(mature), progress: "5" },
  ])
    expect(await post(form)).not.toContain("Hidden name");
  expect(await listed()).toMatchObject([{ mal_id: mature, type: "Watching", progress: 0 }]);
  for (const intent of ["remove", "bulk-remove"]) {
    await list();
    const form = { intent, mal_id: String(mature), [`title-${mature}`]: "on" };
    const removed = await post(form);
    expect(removed).not.toContain("Hidden name");
    expect(removed).toBe(await post(form));
    expect(await listed()).toEqual([]);
  }
  await list();
  const remove = () =>
    dataOf(member.request("/api/user/watchList", { method: "DELETE", json: { animeId: mature } }));
  expect(await remove()).toEqual(await remove());
  expect(await listed()).toEqual([]);
});

test("an import keeps entries of hidden titles, and its report and preview only count them", async () => {
  const member = await newMember();
  const preview = await importFile(member, "?preview=1", 30);
  expect(preview).toMatchObject({ added: [{ mal_id: shown }], hidden: 1, clamped: [{ mal_id: shown }] });
  const report = await importFile(member, "", 30);
  expect({ ...report, undo: null }).toEqual(preview);
  expect(JSON.stringify(report)).not.toContain("Hidden name");
  expect(await idsOf(member)).toEqual([shown]);
  expect(await importFile(member, "", 30)).toMatchObject({ unchanged: [{ mal_id: shown }], hidden: 0 });
  await setParentalControl(member, false);
  expect((await idsOf(member)).sort()).toEqual([mature, shown].sort());
  expect(await importFile(member)).toMatchObject({ unchanged: [{}, {}], hidden: 0 });
  await setParentalControl(member, true);
  await dataOf(member.request("/api/user/watchList/import/undo", { json: { undo: report.undo } }));
  await setParentalControl(member, false);
  expect(await idsOf(member)).toEqual([]);
});

test("an account import keeps entries of hidden titles and says how many", async () => {
  const member = await newMember();
  const entries = [mature, shown].map((mal_id) => ({ mal_id, type: "Watching" }));
  const body = JSON.stringify({ format: "engawa-account", version: 1, watch_list: entries });
  const report = await dataOf<{ watch_list: Report }>(
    member.request("/api/user/import", { method: "POST", body }),
  );
  expect(report.watch_list).toMatchObject({ added: [{ mal_id: shown }], hidden: 1 });
  expect(await idsOf(member)).toEqual([shown]);
  await setParentalControl(member, false);
  expect((await idsOf(member)).sort()).toEqual([mature, shown].sort());
});
