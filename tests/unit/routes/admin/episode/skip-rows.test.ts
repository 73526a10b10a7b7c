import { expect, test } from "vitest";
import { readSkipForm } from "#app/routes/admin/episode/skip-rows.ts";

const row = (number: number, kind: string, start: string, end: string) => ({
  [`kind:${number}`]: kind,
  [`start:${number}`]: start,
  [`end:${number}`]: end,
});

test("seconds and clock times are read, and empty rows are left out", () => {
  const form = {
    ...row(0, "intro", "1:30", "180.5"),
    ...row(1, "intro", "", " "),
    ...row(2, "outro", "1:00:00", "3660"),
  };
  expect(readSkipForm(form)).toEqual({
    ok: true,
    value: [
      { kind: "intro", start: 90, end: 180.5 },
      { kind: "outro", start: 3600, end: 3660 },
    ],
  });
});

test.each([
  ["credits", "0", "10"],
  ["intro", "", "10"],
  ["intro", "soon", "10"],
  ["intro", "-1", "10"],
  ["intro", "1:2:3:4", "10"],
])("%s from %s to %s is refused", (kind, start, end) => {
  expect(readSkipForm(row(0, kind, start, end))).toMatchObject({ ok: false, reason: "invalid" });
});
