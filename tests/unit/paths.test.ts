import fc from "fast-check";
import { expect, test } from "vitest";
import {
  imageProxyPath,
  mediaPath,
  pathWithoutSecret,
  signInPath,
  signUpProfilePath,
  slugOf,
  titlePath,
  watchPath,
} from "#app/paths.ts";

test.each([
  ["Cowboy Bebop", "cowboy-bebop"],
  ["Fullmetal Alchemist: Brotherhood", "fullmetal-alchemist-brotherhood"],
  ["Shōjo Kakumei Utena", "shojo-kakumei-utena"],
  ["K", "k"],
  ["Jojo's", "jojos"],
  ["はたらく細胞", "はたらく細胞"],
  ["ガンダム", "ガンダム"],
  ["!!!", ""],
])("the slug of %s is %j", (title, slug) => expect(slugOf(title)).toBe(slug));

test("the path of any title contains its id and slug, which is short and its own slug", () => {
  expect(titlePath(5, "!")).toBe("/anime/5");
  fc.assert(
    fc.property(fc.nat(), fc.string({ unit: "grapheme" }), (id, title) => {
      const path = titlePath(id, title);
      expect(path).toMatch(/^\/anime\/\d+(\/[\w.~%!*()'-]+)?$/);
      const [folder, number, slug = ""] = path.slice(1).split("/");
      expect([folder, number, decodeURIComponent(slug)]).toEqual(["anime", String(id), slugOf(title)]);
      expect(slugOf(title).length).toBeLessThanOrEqual(80);
      expect(slugOf(slugOf(title))).toBe(slugOf(title));
    }),
  );
});

test("a film's file name with reserved characters keeps its folders", () => {
  expect(mediaPath("Show #1/50% off?.mp4")).toBe("/media/Show%20%231/50%25%20off%3F.mp4");
});

test("undefined parameters are left out of the query, and the others are encoded", () => {
  expect(signInPath()).toBe("/signin");
  expect(signInPath({ redirectTo: "/list?tab=a&b" })).toBe("/signin?redirectTo=%2Flist%3Ftab%3Da%26b");
  expect(imageProxyPath("https://a.example/x?y=1&z", 640)).toBe(
    "/api/proxy?url=https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z&w=640&q=70",
  );
});

test("a sign-up step has no redirect target if it is the home page", () => {
  expect(signUpProfilePath({ redirectTo: "/" })).toBe("/signup/profile");
  expect(signUpProfilePath({ redirectTo: "/list" })).toBe("/signup/profile?redirectTo=%2Flist");
});

test("the path of a watch page has the title's id and the episode number", () => {
  expect(watchPath(900000001, 2)).toBe("/watch/900000001/2");
});

test("the log contains no secret of a hook, however the path is spelled", () => {
  for (const path of [
    "/api/hooks/sonarr/SECRET",
    "//API//Hooks/sonarr//SECRET/x",
    "/%61pi/hook%73/scan/SECRET",
  ])
    expect(pathWithoutSecret(path)).not.toContain("SECRET");
  expect(pathWithoutSecret("/api/hooks/sonarr/SECRET")).toBe("/api/hooks/sonarr/…");
  for (const path of ["/api/hooks/sonarr", "/api/hooks/sonarr/", "/api/user/x/y"])
    expect(pathWithoutSecret(path)).toBe(path);
});

test("the log contains no pass of a signed path, however the path is spelled, and other paths unchanged", () => {
  for (const path of [
    "/signed/PASS/film/1",
    "/Signed/PASS/play/1/2/c.m3u8",
    "//signed//PASS",
    "/%73igned/PASS/x",
  ])
    expect(pathWithoutSecret(path)).not.toContain("PASS");
  expect(pathWithoutSecret("/signed/PASS/film/1")).toBe("/signed/…/film/1");
  for (const path of ["/", "/film/signed/x", "/signed", "/%zz/x", "/anime/1/signed"])
    expect(pathWithoutSecret(path)).toBe(path);
});
