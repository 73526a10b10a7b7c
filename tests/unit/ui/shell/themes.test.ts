import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { pageColors } from "#app/ui/shell/themes.ts";

test("the page's colors are those of the style sheet", async () => {
  const tokens = await readFile("app/ui/styles/tokens.css", "utf8");
  const { light, dark } = pageColors;
  expect(tokens).toContain(`--surface-0: var(--light, ${light}) var(--dark, ${dark});`);
});
