import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { type Member, newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The sound and subtitles that a member chooses for a title hold for its next episodes. */

const choose = (member: Member, json: object) =>
  member.request("/api/user/trackChoice", { method: "PUT", json });

async function chosenFor(member: Member, malId: number) {
  const file = (await (await member.request("/api/user/export")).json()) as {
    track_choices: { mal_id: number; sound: string | null; subtitles: string | null }[];
  };
  return file.track_choices.find((one) => one.mal_id === malId);
}

test("each choice changes what it names, and null forgets it", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  expect((await choose(member, { mal_id: malId, sound: "en" })).status).toBe(200);
  expect((await choose(member, { mal_id: malId, subtitles: "en signs" })).status).toBe(200);
  expect(await chosenFor(member, malId)).toMatchObject({ sound: "en", subtitles: "en signs" });
  expect((await choose(member, { mal_id: malId, sound: null, subtitles: "off" })).status).toBe(200);
  expect(await chosenFor(member, malId)).toMatchObject({ sound: null, subtitles: "off" });
});

test("the page of another episode has the member's choice, and a visitor's has none", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  await choose(member, { mal_id: malId, subtitles: "de deaf" });
  const pageOf = async (visitor: Visitor) => (await visitor.request(`/watch/${malId}/2.data`)).text();
  expect(await pageOf(member)).toContain('"de deaf"');
  expect(await pageOf(new Visitor())).not.toContain('"de deaf"');
});

test.each([
  ["a sound that is no language", { sound: "loud" }],
  ["subtitles that are no language", { subtitles: "all of them" }],
])("%s gets 400", async (_, change) => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  expect((await choose(member, { mal_id: malId, ...change })).status).toBe(400);
});

test("a title that the catalog lacks gets 404, and a visitor 401", async () => {
  for (const mal_id of [899_999_999, 3_000_000_000])
    expect((await choose(await newMember(), { mal_id, sound: "en" })).status).toBe(404);
  const malId = await someTitle({ episodes: 2 });
  const visitor = new Visitor();
  const answer = await visitor.request("/api/user/trackChoice", { method: "PUT", json: { mal_id: malId } });
  expect(answer.status).toBe(401);
});

test("the export of one account brings the choices into another one, whose own choices stay", async () => {
  const [member, other] = [await newMember(), await newMember()];
  const [first, second] = [await someTitle({ episodes: 2 }), await someTitle({ episodes: 2 })];
  for (const malId of [first, second]) await choose(member, { mal_id: malId, subtitles: "en" });
  await choose(other, { mal_id: second, subtitles: "off" });
  const file = await (await member.request("/api/user/export")).text();
  expect((await other.request("/api/user/import", { json: JSON.parse(file) })).status).toBe(200);
  expect(await chosenFor(other, first)).toMatchObject({ subtitles: "en" });
  expect(await chosenFor(other, second)).toMatchObject({ subtitles: "off" });
});
