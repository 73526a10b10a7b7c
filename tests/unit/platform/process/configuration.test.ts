import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  environmentExample,
  listSettings,
  settingsText,
  withTable,
} from "#app/platform/process/configuration.server.ts";

const outdated = "is out of date: npm run config -- --write";

test(".env.example and the table in the docs match the schema", () => {
  expect(readFileSync(".env.example", "utf8"), `.env.example ${outdated}`).toBe(environmentExample());
  const page = readFileSync("docs/configuration.md", "utf8");
  expect(page, `docs/configuration.md ${outdated}`).toBe(withTable(page));
});

test("a setting shows its value and where it comes from, and a secret hides its value", () => {
  const values = { PORT: "8080", HOST: "", REDIS_URL: "redis://:hidden@cache", LOG_LEVEL: "warn" };
  const settings = listSettings(values, new Set(["PORT"]));
  const find = (name: string) => settings.find((setting) => setting.name === name);
  expect(find("PORT")).toMatchObject({ value: "8080", from: "shell", default: "3000" });
  expect(find("LOG_LEVEL")).toMatchObject({ value: "warn", from: ".env" });
  expect(find("HOST")).toMatchObject({ value: "127.0.0.1", from: "default" });
  expect(find("PUBLIC_URL")).toMatchObject({ value: null, from: "default" });
  expect(find("REDIS_URL")?.from).toBe(".env");
  expect(settingsText(settings)).toContain("8080  (shell; default 3000)");
  expect(JSON.stringify(settings) + settingsText(settings)).not.toContain("hidden");
});
