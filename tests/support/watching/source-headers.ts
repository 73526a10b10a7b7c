import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { signIn } from "#tests/support/browser/accounts.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { addOperator } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * An operator sets a source's headers in a browser, and ffmpeg plays the source by the address in the JSON. The browser has
 * scripts in tests/players, and none in tests/release.
 */

const run = promisify(execFile);
const secret = "sid=operator-secret";

const picture = [
  "-f",
  "lavfi",
  "-i",
  "testsrc2=size=160x90:rate=10:duration=4",
  "-c:v",
  "libx264",
  "-g",
  "10",
];
const hls = ["-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_filename", "%d.ts"];
const folder = encodedOnce({
  commands: [["ffmpeg", "-v", "error", ...picture, ...hls, "index.m3u8"]],
});

const operator = { email: "operator@example.org", password: "Abcdef1!" };

export async function testSourceHeaders({ javaScriptEnabled }: { javaScriptEnabled: boolean }) {
  /** A server that sends its files only with the operator's cookie. */
  const upstream = await startUpstream(async ({ url = "", headers }, response) => {
    if (headers.cookie !== secret) return response.writeHead(403).end();
    const body = await readFile(join(folder, url.replace(/\?.*/, "")));
    // Segments need a query, as servers with tokens write it.
    response.end(url.includes(".m3u8") ? body.toString().replace(/^(\d\.ts)$/gm, "$1?token=a.b") : body);
  });

  const [browser, site] = await Promise.all([
    openBrowser(),
    startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1", PROXY_SIGNING_SECRET: "signing ".repeat(4) }),
  ]);
  addOperator(site, operator.email, operator.password);

  async function openEpisode() {
    const context = await browser.newContext({ javaScriptEnabled });
    await signIn(context, site, operator);
    const page = await context.newPage();
    const path = "/admin/episode?id=1&episode=1";
    await page.goto(site.origin + path);
    if (javaScriptEnabled) await hydrated(page);
    const values = () =>
      page
        .locator("input")
        .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))
        .then((all) => all.join("\n"));
    const data = async () => (await context.request.get(site.origin + path.replace("?", ".data?"))).text();
    return { page, values, data };
  }

  test("a secret header disappears from the page once saved, and saving its empty field keeps it", async () => {
    const { page, values, data } = await openEpisode();
    const field = (name: string) => page.locator(`input[name="${name}"]`);
    await page.getByRole("textbox", { name: "Address", exact: true }).fill(`${upstream.origin}/index.m3u8`);
    await page.getByRole("button", { name: /^Add video/ }).click();
    await page.getByText("The video is added.").waitFor();
    await page.locator("details.admin-headers summary").filter({ hasText: upstream.origin }).click();
    await field("Referer").fill("https://page.example/");
    // Only the first save changes what the page shows of the source, so only it rebuilds the fields.
    for (const typed of ["sid=first-secret", secret, ""]) {
      await field("Cookie").fill(typed);
      const saved = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: /^Save headers/ }).click();
      await saved;
      await expect.poll(() => field("Cookie").inputValue()).toBe("");
      await page.getByText("It is set; leave the field empty to keep it.").waitFor();
      for (const shown of [await page.content(), await values(), await data()])
        expect(shown).not.toMatch(/first-secret|operator-secret/);
      expect(await values()).toContain("https://page.example/");
    }
    await page.reload();
    for (const shown of [await page.content(), await values()])
      expect(shown).not.toContain("operator-secret");
  });

  test("ffmpeg plays the source by the address in the episode's JSON", async () => {
    const answer = await fetch(`${site.origin}/api/episodes/getEpisode?mal_id=1&ep=1`);
    const { data } = (await answer.json()) as { data: { sources: { url: string }[] } };
    const url = data.sources.find((source) => source.url.includes("index.m3u8"))?.url ?? "";
    expect(url.startsWith(`${site.origin}/api/videoProxy?`)).toBe(true);
    const { stdout } = await run("ffmpeg", ["-v", "error", "-i", url, "-map", "0:v", "-f", "framemd5", "-"]);
    expect(stdout.split("\n").filter((line) => /^0,/.test(line))).toHaveLength(40);
  });
}
