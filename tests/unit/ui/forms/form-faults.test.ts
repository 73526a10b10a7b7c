import { describe, expect, test } from "vitest";
import { errorsByField } from "#app/ui/forms/form-faults.ts";

const refused = (message: string, issues: { path: string; message: string }[]) =>
  errorsByField({ message, issues, typed: { email: "nowhere" } });

describe("what a form was refused for", () => {
  test("stands beside each field, with one verb", () => {
    const faults = refused("password needs a digit", [
      { path: "password", message: "needs a digit" },
      { path: "password", message: "needs a lowercase letter" },
      { path: "email", message: "must be an e-mail address" },
    ]);
    expect(faults.error("password")).toBe("This needs a digit, a lowercase letter.");
    expect(faults.error("email")).toBe("This must be an e-mail address.");
    expect(faults.error("username")).toBeUndefined();
    expect(faults.typed("email")).toBe("nowhere");
  });

  test("is summed up without the names that programs use", () => {
    const issue = { path: "username", message: "needs at least 3 characters" };
    expect(refused("username needs at least 3 characters", [issue]).message).toMatch(
      /^Not everything is right/,
    );
  });

  test("keeps words that say more", () => {
    const spent = "This link was used already, or is too old";
    expect(refused(spent, [{ path: "token", message: "is spent" }]).message).toBe(spent);
    expect(errorsByField(undefined).message).toBeUndefined();
  });
});
