import { expect, test, vi } from "vitest";
import { CannotStart, printError } from "#app/platform/process/cannot-start.server.ts";

function printed(error: unknown) {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  printError(error);
  const text = write.mock.calls.join("");
  write.mockRestore();
  return text;
}

test("an error that the operator can fix is printed as one line", () => {
  expect(printed(new CannotStart("Choose another folder."))).toBe("Choose another folder.\n");
});

test("a bug is printed with its stack and the stacks of its causes", () => {
  const text = printed(new Error("outer", { cause: new TypeError("inner", { cause: "a string" }) }));
  expect(text).toMatch(
    /^Error: outer\n +at .*\nbecause of TypeError: inner\n +at .*\nbecause of a string\n$/s,
  );
});
