import { expect, test } from "vitest";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The variables SIGNUPS and VISITORS decide, so the page Setup only shows what they say. */

const folder = temporaryFolder("locked-choices");
Object.assign(process.env, { MEDIA_DIR: folder, FILMS: "members", SIGNUPS: "open", VISITORS: "yes" });
const { newOperator } = await import("#tests/support/requests/visitor.ts");

const operator = await newOperator();

const readPage = (path: string) => htmlOf(operator.request(path));

test("the locked choices are disabled, and describe themselves with the variable that locks them", async () => {
  const html = await readPage("/admin/setup?step=people");
  for (const [name, variable] of [
    ["signUps", "SIGNUPS"],
    ["visitors", "VISITORS"],
  ]) {
    const [fieldset = ""] =
      new RegExp(`<fieldset[^>]*aria-labelledby="${name}".*?</fieldset>`, "s").exec(html) ?? [];
    expect(fieldset).toMatch(new RegExp(`^<fieldset[^>]*aria-describedby="${name}-locked"`));
    expect(fieldset).toMatch(/^<fieldset[^>]* disabled=""/);
    const text = fieldset.replaceAll(/<!-- -->|<[^>]*>/g, "");
    expect(text).toMatch(new RegExp(`^Locked: the variable ${variable} decides this\\.`));
  }
});

test("the warning about open sign-up leads to the variable and not to the locked choice", async () => {
  for (const path of ["/admin", "/admin/films", "/admin/setup?step=watch"]) {
    const html = await readPage(path);
    expect(html, path).toContain("change or remove the variable SIGNUPS, and start the site again");
    expect(html, path).not.toContain("choose on the page Setup");
  }
});

test("each step of the setup leads back to the administration", async () => {
  for (const step of ["videos", "found", "catalog", "people", "watch"]) {
    const html = await readPage(`/admin/setup?step=${step}`);
    const [steps = ""] = /<nav[^>]*aria-label="Steps".*?<\/nav>/s.exec(html) ?? [];
    expect(steps, step).toMatch(/href="\/admin"[^>]*>Administration</);
  }
});
