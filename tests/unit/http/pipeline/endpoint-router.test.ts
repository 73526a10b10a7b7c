import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { answerStateContext } from "#app/http/context.server.ts";
import { routerFor } from "#app/http/pipeline/endpoint-router.server.ts";
import { buildOf } from "#tests/support/site/tiny-site.ts";

const answerWith = (words: string) => () => new Response(words);
const build = buildOf({
  "api/one": answerWith("one"),
  "api/one/two": answerWith("two"),
  "api/:any": ({ request }) => new Response(`any ${new URL(request.url).pathname}`),
  "robots.txt": answerWith("robots"),
  "v1/thing/:id": ({ request }) => new Response(`thing ${new URL(request.url).pathname}`),
  "v1/*": answerWith("no such thing"),
});
const router = routerFor(build, "production");

async function ask(address: string) {
  const { pathname } = new URL(address, "http://a.test");
  const context = new RouterContextProvider();
  context.set(answerStateContext, {});
  const answer = await router(pathname)(new Request(`http://a.test${address}`), context);
  return `${answer.status} ${await answer.text()}`;
}

test("every spelling of a path reaches the same route as in the whole router", async () => {
  expect(await ask("/api/one?a=1")).toBe("200 one");
  expect(await ask("/api/one/two")).toBe("200 two");
  expect(await ask("/robots.txt")).toBe("200 robots");
  expect(await ask("/api/one/")).toBe("200 one");
  expect(await ask("/API/One")).toBe("200 one");
  expect(await ask("/api/other")).toBe("200 any /api/other");
  expect(await ask("/api/%6Fne")).toBe("200 one");
  for (const path of ["/v1/thing/1", "/V1/thing/1", "/v1/thing/1/", "/v1/%74hing/1"])
    expect(await ask(path)).toBe(`200 thing ${path}`);
  for (const path of ["/v1/", "/v1", "/v1/other", "/v1/thing/1/2"])
    expect(await ask(path)).toBe("200 no such thing");
  expect(await ask("/v12/thing")).toMatch(/^404/);
  expect(await ask("/nowhere")).toMatch(/^404/);
});

test("an endpoint with a fixed path has its own router; pages, parameters and development use the whole one", () => {
  const whole = router("/nowhere");
  expect(router("/api/one")).not.toBe(whole);
  expect(router("/api/one")).not.toBe(router("/api/one/two"));
  for (const path of ["/", "/api/other", "/api/:any", "/api/one/"]) expect(router(path)).toBe(whole);
  expect(router("/v1/thing/1")).toBe(router("/v1/other"));
  expect(router("/v1/thing/1")).not.toBe(whole);
  const developing = routerFor(() => build, "development");
  expect(developing("/api/one")).toBe(developing("/"));
});
