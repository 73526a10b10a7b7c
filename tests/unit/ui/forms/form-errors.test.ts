import { describe, expect, test } from "vitest";
import { errorsByField } from "#app/ui/forms/form-errors.ts";

const refused = (message: string, issues: { path: string; message: string }[]) =>
  errorsByField({ message, issues, typed: { email: "nowhere" } });

describe("errorsByField", () => {
  test("gives one sentence for each field", () => {
    const errors = refused("password needs a digit", [
      { path: "password", message: "needs a digit" },
      { path: "password", message: "needs a lowercase letter" },
      { path: "email", message: "must be an e-mail address" },
    ]);
    expect(errors.error("password")).toBe("This needs a digit, a lowercase letter.");
    expect(errors.error("email")).toBe("This must be an e-mail address.");
    expect(errors.error("username")).toBeUndefined();
    expect(errors.typed("email")).toBe("nowhere");
  });

  test("summarizes the issues without the technical field names", () => {
    const issue = { path: "username", message: "needs at least 3 characters" };
    expect(refused("username needs at least 3 characters", [issue]).message).toMatch(
      /^Some fields are not right/,
    );
  });

  test("shows the remedy at the field, where the summary says that it is wrong", () => {
    const errors = refused("The PIN is wrong.", [{ path: "pin", message: "is wrong" }]);
    expect([errors.message, errors.error("pin")]).toEqual(["The PIN is wrong.", "Type it once more."]);
  });

  test("shows the remedy at the e-mail field, where the summary says that the address is in use", () => {
    const inUse = "This e-mail address is already in use";
    const errors = refused(inUse, [{ path: "email", message: "is already in use" }]);
    expect([errors.message, errors.error("email")]).toEqual([inUse, "Type another one."]);
  });

  test("keeps a message that contains more than the list of issues", () => {
    const spent = "This link was used already, or is too old";
    expect(refused(spent, [{ path: "token", message: "is spent" }]).message).toBe(spent);
    expect(errorsByField(undefined).message).toBeUndefined();
  });
});
