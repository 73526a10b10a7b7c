import { expect, test } from "vitest";
import { plainPath } from "#app/domain/scanning/hooks/hook-payloads.ts";

test.each([
  ["/data/tv/Show/", "/data/tv/Show"],
  ["D:\\tv\\Show\\", "D:/tv/Show"],
  ["tv//Show///", "tv//Show"],
  ["/", ""],
])("the path %s becomes %j", (path, plain) => expect(plainPath(path)).toBe(plain));

test("a path of slashes does not stop the process", () => {
  const path = `${"/".repeat(1_000_000)}x`;
  expect(plainPath(path)).toBe(path);
});
