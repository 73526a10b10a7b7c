import { expect, test } from "vitest";

/** The privacy page, as it follows from the settings. */

Object.assign(process.env, {
  CATALOG_FEEDS: "jikan 1d https://feed.example.org/v4",
  SMTP_URL: "smtp://user:secret@mail.example.org",
  MAIL_FROM: "site@example.org",
  PUBLIC_URL: "http://localhost:3000",
});
const { newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");

const read = async (visitor: InstanceType<typeof Visitor>) => {
  const response = await visitor.request("/about/privacy");
  expect(response.status).toBe(200);
  return response.text();
};

test("a visitor reads that feeds and mail use other servers, without the servers' names", async () => {
  const page = await read(new Visitor());
  expect(page).toContain("A request for titles to another server");
  expect(page).toContain("Mails to the member");
  expect(page).not.toContain("Pictures that members upload are kept on another server");
  expect(page).not.toMatch(/feed\.example\.org|mail\.example\.org|secret/);
});

test("an operator reads the names of the servers, and no password", async () => {
  const operator = await newOperator();
  const page = await read(operator);
  expect(page).toContain("feed.example.org");
  expect(page).toContain("mail.example.org");
  expect(page).not.toContain("secret");
});
