import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";

const origins = ["https://engawa.example", "http://127.0.0.1:3000"];
const stays = (target: string) => origins.every((origin) => new URL(target, origin).origin === origin);

describe("safeRedirectTarget", () => {
  test.each(["/", "/list", "/anime/5?tab=episodes#top", "/search?q=%E5%B0%8F", "/a%09b", "/@evil.example"])(
    "the path %j of this site is kept",
    (target) => expect(safeRedirectTarget(target)).toBe(target),
  );

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\\evil.example",
    "/./\\evil.example/..//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "https://evil.example/",
    "https:evil.example",
    "evil.example",
    "",
    " //evil.example",
    "/\ud800",
    "/\0",
    "/signin?redirectTo=/signin",
    "/signup",
    null,
    undefined,
    ["//evil.example"],
    { toString: () => "//evil.example" },
  ])("%j becomes /", (target) => expect(safeRedirectTarget(target)).toBe("/"));

  test("a full URL of this site becomes its path, and other URLs become /", () => {
    const own = "https://engawa.example";
    expect(safeRedirectTarget(`${own}/list?type=watching#top`, own)).toBe("/list?type=watching#top");
    expect(safeRedirectTarget(own, own)).toBe("/");
    for (const target of [
      `${own}//evil.example`,
      `${own}/\\evil.example`,
      `${own}.evil.example/list`,
      `${own}@evil.example/list`,
      `${own}:81/list`,
      "http://engawa.example/list",
      `${own}/signin`,
    ])
      expect(safeRedirectTarget(target, own), target).toBe("/");
    expect(safeRedirectTarget(`${own}/list`)).toBe("/");
  });

  test("a path with encoded tabs or backslashes stays on this site", () => {
    expect(stays(safeRedirectTarget("/%09/evil.example"))).toBe(true);
    expect(stays(safeRedirectTarget("/%5cevil.example"))).toBe(true);
  });

  test("any text gives a path of this site", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      "\t",
      "\n",
      "..",
      ".",
      "@",
      ":",
      "evil.example",
      "%09",
      "%5c",
      "?",
      "#",
      "https:",
      "javascript:",
      " ",
      "\u3000",
      "／",
      "。",
    );
    const hostile = fc.array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 8 });
    fc.assert(
      fc.property(hostile, (pieces) => {
        const target = safeRedirectTarget(pieces.join(""));
        expect(target).toMatch(/^\/(?![/\\])/);
        expect(stays(target)).toBe(true);
        // The result is accepted again unchanged.
        expect(safeRedirectTarget(target)).toBe(target);
      }),
      { numRuns: 2000 },
    );
  });
});
