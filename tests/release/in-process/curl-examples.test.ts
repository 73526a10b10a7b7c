import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, test } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** Runs the command lines of docs/api.md in a shell, as written. */

const document = readFileSync("docs/api.md", "utf8");
const lines = (/```sh\n([\s\S]*?)```/.exec(document)?.[1] ?? "").trim().split("\n");

const execute = promisify(execFile);

async function inShell(line: string, cwd: string, variables: Record<string, string>) {
  const { stdout } = await execute("bash", ["-c", line], { cwd, env: { ...process.env, ...variables } });
  return stdout;
}

test("each of the ten command lines gives the documented result", async () => {
  expect(lines).toHaveLength(10);
  const png = await plainPng(640, 360, "#306090");
  const film = transportStream(10);
  const upstream = await startUpstream((received, response) => {
    if (received.url === "/picture.png")
      return response.writeHead(200, { "content-type": "image/png" }).end(png);
    response.writeHead(200, { "content-type": "video/mp2t", "content-length": film.length }).end(film);
  });
  const site = await startSite();
  const folder = newDataDir();
  writeFileSync(join(folder, "me.png"), png);
  const outputs: string[] = [];
  for (const line of lines)
    outputs.push(
      await inShell(line, folder, {
        SITE: site.origin,
        PICTURE: `${upstream.origin}/picture.png`,
        FILM: `${upstream.origin}/film.ts`,
      }),
    );
  expect(outputs[0]).toContain('"email":"aki@example.org"');
  expect(outputs[1]).toContain('"expires_at"');
  expect(outputs[2]).toContain("Naruto");
  expect(outputs[4]).toContain("900000001");
  expect(outputs[6]).toContain("/ipfs/");
  expect((await sharp(readFileSync(join(folder, "small.webp"))).metadata()).width).toBe(320);
  expect(readFileSync(join(folder, "piece.ts"))).toEqual(film.subarray(0, 100));
  const token = /"token":"([^"]+)"/.exec(outputs[9] ?? "")?.[1] ?? "";
  const withToken = await fetch(`${site.origin}/api/user/watchList`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(withToken.status).toBe(200);
});
