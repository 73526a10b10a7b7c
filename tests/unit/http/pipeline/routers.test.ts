import { createRequestHandler, RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { answerStateContext } from "#app/http/context.server.ts";
import { routerFor } from "#app/http/pipeline/routers.server.ts";
import routes from "#app/routes.ts";
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

test("an endpoint with a fixed path has its own router, and paths with the same first word share one", () => {
  const whole = router("/nowhere");
  expect(router("/api/one")).not.toBe(whole);
  expect(router("/api/one")).not.toBe(router("/api/one/two"));
  expect(router("/api/other")).not.toBe(whole);
  for (const path of ["/api/:any", "/api/one/", "/api.data"]) expect(router(path)).toBe(router("/api/other"));
  expect(router("/v1/thing/1")).toBe(router("/v1/other"));
  for (const path of ["/API/one", "//api/one", "/%61pi/one", "/__manifest"]) expect(router(path)).toBe(whole);
  const developing = routerFor(() => build, "development");
  expect(developing("/api/one")).toBe(developing("/"));
});

test("each path of the site reaches the same route as in the whole router", async () => {
  const patterns = routes.flatMap(({ path = "", children = [] }) => [
    path,
    ...children.map((child) => `${path}/${child.path}`),
  ]);
  const site = buildOf(
    Object.fromEntries(patterns.map((pattern) => [pattern, () => new Response(`route ${pattern}`)])),
  );
  const small = routerFor(site, "production");
  const whole = createRequestHandler(site, "production");
  const spelled = patterns.flatMap((pattern) => {
    const path = `/${pattern.replaceAll(/:\w+\??/g, "7").replace("*", "some/where")}`;
    const [, first = "", rest = ""] = /^\/([^/]*)(.*)$/.exec(path) ?? [];
    const shorter = `/${pattern.replaceAll(/\/:\w+\?/g, "")}`;
    return [
      path,
      `${path}/`,
      shorter,
      path.toUpperCase(),
      `/${first}/${rest}`,
      `/${first}.x${rest}`,
      `/${first}`,
    ];
  });
  const asked = async (handler: typeof whole, path: string) => {
    const context = new RouterContextProvider();
    context.set(answerStateContext, {});
    const answer = await handler(new Request(`http://a.test${path}`), context);
    return `${path} ${answer.status} ${await answer.text()}`;
  };
  const resolved = [
    "/anime/../browse",
    "/anime/%2e%2e/list",
    "/anime/.%2E/admin/users",
    "/anime/x\\..\\..\\list",
  ];
  for (const path of new Set([...spelled, ...resolved]))
    expect(await asked(small(path), path)).toBe(await asked(whole, path));
});
