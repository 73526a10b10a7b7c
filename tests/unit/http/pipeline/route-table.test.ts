import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { createRouteTable, sharingOfFolder } from "#app/http/pipeline/route-table.server.ts";
import { asOwnMedia, withAnyone, withApiOrigins, withNobody } from "#app/http/sharing.ts";

const sharing = {
  "api/list": withAnyone,
  "api/mine": withApiOrigins,
  "media/*": asOwnMedia,
  "page/:id": undefined,
};
const routes = {
  root: { id: "root", path: "", module: { default: () => null } },
  ...Object.fromEntries(
    Object.entries({ ...sharing, "api/*": withAnyone }).map(([path, one]) => [
      path,
      { id: path, parentId: "root", path, module: { loader: Object.assign(() => null, { sharing: one }) } },
    ]),
  ),
} as unknown as ServerBuild["routes"];
const table = createRouteTable(routes);

test("every spelling of a path may be shared as its route declares", () => {
  for (const path of [
    "/api/list",
    "/api/list/",
    "/API/List",
    "/api/l%69st",
    "/api/list.data",
    "/api/list/_.data",
    "//api/list//",
  ])
    expect(table.sharingOfPath(path), path).toBe(withAnyone);
  for (const path of ["/api/mine", "/api/mine/", "/API/Mine", "/api/m%69ne", "/api/mine.data"])
    expect(table.sharingOfPath(path), path).toBe(withApiOrigins);
  expect(table.sharingOfPath("/media/a/b.mp4")).toBe(asOwnMedia);
});

test("a route without a declaration and a path without a route are never shared", () => {
  expect(table.sharingOfPath("/page/1")).toBe(withNobody);
  expect(table.sharingOfPath("/nowhere")).toBe(withNobody);
  expect(table.sharingOfPattern("/page/:id")).toBe(withNobody);
  expect(table.sharingOfPattern(undefined)).toBe(withNobody);
});

test("a path of slashes does not stop the process", () => {
  expect(table.sharingOfPath(`/a${"/".repeat(1_000_000)}x`)).toBe(withNobody);
});

test("a route pattern may be shared as its route declares", () => {
  for (const slash of ["", "/"]) {
    expect(table.sharingOfPattern(`${slash}media/*`)).toBe(asOwnMedia);
    expect(table.sharingOfPattern(`${slash}api/mine`)).toBe(withApiOrigins);
  }
});

test("the declaration of a folder covers the paths below it and no others", () => {
  const folders = { "/film/": asOwnMedia };
  expect(sharingOfFolder(folders, "/film/1/none.ts")).toBe(asOwnMedia);
  expect(sharingOfFolder(folders, "/films/1.ts")).toBeUndefined();
  expect(sharingOfFolder(folders, "/icon.svg")).toBeUndefined();
});

const page = { default: () => null };

test("a route pattern has the facts of the innermost route", () => {
  const nested = {
    root: { id: "root", path: "", module: page },
    home: { id: "home", parentId: "root", index: true, module: page },
    settings: { id: "settings", parentId: "root", path: "settings", module: page },
    tokens: { id: "tokens", parentId: "settings", path: "tokens", module: page },
    password: { id: "password", parentId: "settings", path: "password", module: { action: () => null } },
    health: {
      id: "health",
      parentId: "root",
      path: "healthz",
      module: { loader: Object.assign(() => null, { admission: "open" }) },
    },
  };
  const { factsOf } = createRouteTable(nested as unknown as ServerBuild["routes"]);
  const isPage = (pattern: string) => factsOf(pattern).isPage;
  expect(["/", "settings", "/settings/tokens"].map(isPage)).toEqual([true, true, true]);
  expect(["settings/password", "healthz", "nowhere"].map(isPage)).toEqual([false, false, false]);
  expect([factsOf("healthz").admission, factsOf("settings").admission]).toEqual(["open", undefined]);
});

test("an unreadable target gets the JSON that the route above it declares, or none", () => {
  const malformedJson = { message: "Bad request" };
  const loader = Object.assign(() => null, { malformedJson });
  const { malformedJsonOf } = createRouteTable({
    ...routes,
    rest: { id: "rest", parentId: "root", path: "v4/*", module: { loader } },
  } as unknown as ServerBuild["routes"]);
  expect(["/v4/anime/%00", "/V4/%ff", "/v4/"].map(malformedJsonOf)).toEqual([
    malformedJson,
    malformedJson,
    malformedJson,
  ]);
  expect(["/v40/%00", "/api/%00", "/%00"].map(malformedJsonOf)).toEqual([undefined, undefined, undefined]);
});
