import { expect, test } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { Visitor } from "#tests/support/requests/visitor.ts";

/** The OpenAPI document states the sign-up rules, and the site judges every value accordingly. */

type StringSchema = {
  type: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
};
type Document = {
  paths: Record<
    string,
    {
      post: {
        requestBody: { content: Record<string, { schema: { properties: Record<string, StringSchema> } }> };
      };
    }
  >;
};

const document = (await (await new Visitor().request("/api/openapi.json")).json()) as Document;
const propertiesOf = (path: string) =>
  document.paths[path]!.post.requestBody.content["application/json"]!.schema.properties;
const fields = propertiesOf("/api/auth/signup");

const fits = ({ minLength = 0, maxLength = Infinity, pattern = "" }: StringSchema, value: string) =>
  [...value].length >= minLength && [...value].length <= maxLength && new RegExp(pattern, "u").test(value);

test("the document has the minimums and maximums of names, emails and passwords, also where a password changes", () => {
  expect(fields.username).toMatchObject({ type: "string", minLength: 3, maxLength: 64 });
  expect(fields.email).toMatchObject({ type: "string", format: "email", maxLength: 254 });
  expect(fields.password).toMatchObject({ type: "string", minLength: 6, maxLength: 20 });
  for (const path of ["/api/auth/password", "/api/auth/reset/confirm"])
    expect(propertiesOf(path).password).toEqual(fields.password);
});

const values: ["username" | "password", string][] = [
  ["username", "ab"],
  ["username", "abc"],
  ["username", "a".repeat(64)],
  ["username", "a".repeat(65)],
  ["password", "Ab1!x"],
  ["password", "Ab1!xy"],
  ["password", `Ab1!${"x".repeat(16)}`],
  ["password", `Ab1!${"x".repeat(17)}`],
  ["password", "AB123!X"],
  ["password", "ab123!x"],
  ["password", "Abcdef!x"],
  ["password", "Abc123xx"],
  ["password", "Abc123-x"],
  ...[..."!@#$%^&*"].map((symbol): ["password", string] => ["password", `Abc123${symbol}`]),
];

test.each(values)("the %s %s is accepted exactly if it fits the document", async (field, value) => {
  const account = {
    username: "Newcomer",
    password: goodPassword,
    email: `rule-${values.findIndex(([, other]) => other === value)}@example.org`,
    [field]: value,
  };
  const response = await new Visitor().request("/api/auth/signup", { json: account });
  expect(response.status).toBe(fits(fields[field]!, value) ? 201 : 400);
});
