import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

Object.assign(process.env, { MEDIA_DIR: temporaryFolder("wishes-off"), REQUESTS: "0" });
const { newMember } = await import("#tests/support/requests/visitor.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");

test("with REQUESTS=0, the title page has no wish button and wishes are refused", async () => {
  const [member, malId] = [await newMember(), await someTitle({ status: "Finished Airing" })];
  expect(await (await member.request(`/anime/${malId}/title-${malId}`)).text()).not.toContain(
    "Wish for this",
  );
  const form = { intent: "wish", id: `${malId}` };
  expect((await member.request("/wishes", { form })).status).toBe(404);
});
