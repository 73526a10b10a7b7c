import { expect, test } from "vitest";
import { routes } from "#app/start/site.server.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Every route says how often one client may request it, or why its requests are not counted. */

type Declared = { limiter?: { name: string }; unlimited?: string };
type Module = { default?: unknown; action?: unknown; middleware?: readonly Declared[] };

const modules = Object.values(routes).flatMap((route) =>
  route && route.id !== "root" ? [{ path: route.path ?? "/", module: route.module as Module }] : [],
);
const declaredBy = ({ middleware = [] }: Module) => ({
  limiters: middleware.flatMap(({ limiter }) => (limiter ? [limiter.name] : [])),
  reasons: middleware.flatMap(({ unlimited }) => (unlimited ? [unlimited] : [])),
});

test("each route that is no page, and each form of a page, names one limiter or the reason for none", () => {
  expect(modules.length).toBeGreaterThan(130);
  const silent = modules
    .filter(({ module }) => module.default === undefined || module.action !== undefined)
    .filter(({ module }) => {
      const { limiters, reasons } = declaredBy(module);
      return limiters.length + reasons.length !== 1;
    });
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test("pages and their data share the root route's limiter", () => {
  expect(declaredBy(routes.root?.module as Module).limiters).toEqual(["page"]);
});

test("only routes that must always be answered, or have their own admission, have no limiter", () => {
  const free = modules.filter(({ module }) => declaredBy(module).reasons.length > 0);
  expect(free.map(({ path }) => path).sort()).toEqual([
    "*",
    "api/*",
    "api/auth/session",
    "api/auth/signout",
    "api/proxy",
    "healthz",
    "ipfs/:cid",
    "poster/:id.jpg",
    "poster/:id.webp",
    "readyz",
    "robots.txt",
  ]);
});

test("everything below /api/user counts requests, and all but password attempts by account too", () => {
  const own = modules.filter(({ path }) => path.startsWith("api/user/"));
  expect(own.length).toBeGreaterThan(15);
  const others = own
    .map(({ path, module }) => [path, declaredBy(module).limiters.join()])
    .filter(([, limiters]) => limiters !== "user");
  expect(others).toEqual([
    ["api/user/account", "deletion"],
    ["api/user/profiles/switch", "password"],
  ]);
});

test("/random counts toward the endpoint's limiter, and its refusal is a page", async () => {
  const address = "10.200.0.1";
  const statuses: number[] = [];
  for (const path of ["/api/animes/random", "/random"])
    for (let asked = 0; asked < 60; asked++) statuses.push((await request(path, { address })).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  const refused = await request("/random", { address });
  expect([refused.status, refused.headers.get("Content-Type")]).toEqual([429, "text/html; charset=utf-8"]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
});
