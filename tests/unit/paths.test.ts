import fc from "fast-check";
import { expect, test } from "vitest";
import {
  imageProxyPath,
  mediaPath,
  signInPath,
  signUpProfilePath,
  slugOf,
  titlePath,
  watchPath,
} from "#app/paths.ts";

test("any title gives an address that leads back to its id", () => {
  expect(titlePath(5, "!")).toBe("/anime/5");
  fc.assert(
    fc.property(fc.nat(), fc.string({ unit: "grapheme" }), (id, title) => {
      const url = new URL(titlePath(id, title), "http://site.invalid");
      expect(url.search + url.hash).toBe("");
      expect(url.pathname.split("/").slice(0, 3)).toEqual(["", "anime", String(id)]);
      expect(decodeURIComponent(url.pathname.split("/")[3] ?? "")).toBe(slugOf(title));
    }),
  );
});

test("a film's file name with reserved characters keeps its folders", () => {
  expect(mediaPath("Show #1/50% off?.mp4")).toBe("/media/Show%20%231/50%25%20off%3F.mp4");
});

test("what is undefined is left out of the query, and the rest is encoded", () => {
  expect(signInPath()).toBe("/signin");
  expect(signInPath({ redirectTo: "/list?tab=a&b" })).toBe("/signin?redirectTo=%2Flist%3Ftab%3Da%26b");
  expect(imageProxyPath("https://a.example/x?y=1&z", 640)).toBe(
    "/api/proxy?url=https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z&w=640&q=70",
  );
});

test("a step of signing up carries no target when it is the front page", () => {
  expect(signUpProfilePath({ redirectTo: "/" })).toBe("/signup/profile");
  expect(signUpProfilePath({ redirectTo: "/list" })).toBe("/signup/profile?redirectTo=%2Flist");
});

test("an episode's page is addressed by title and number", () => {
  expect(watchPath(900000001, 2)).toBe("/watch/900000001/2");
});
