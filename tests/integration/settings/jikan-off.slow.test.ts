import { expect, test } from "vitest";

process.env.JIKAN_API = "0";
const { request } = await import("#tests/support/site/in-process.ts");

test.each(["/v4/anime/1", "/v4/anime", "/v4/openapi.json", "/v4/anything"])(
  "%s is not there when the API is off",
  async (path) => {
    expect((await request(path)).status).toBe(404);
  },
);

test("the page about the API does not mention the API in Jikan's shapes when it is off", async () => {
  expect(await (await request("/api")).text()).not.toContain("/v4");
});
