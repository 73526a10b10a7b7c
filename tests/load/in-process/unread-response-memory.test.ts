import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { settled } from "#tests/support/checks/wait-until.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { openSocket } from "#tests/support/requests/raw-http.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { residentMiB } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A client requests a film of one gigabyte and does not read it. */

const mebibyte = 1024 ** 2;

test("a client that never reads an answer of 1 GB", async ({ task }) => {
  const folder = temporaryFolder("film");
  const film = await open(join(folder, "film.mp4"), "w");
  await film.truncate(1024 * mebibyte);
  await film.close();
  const site = await startSite({ DATABASE_URL: await newDatabase(), MEDIA_DIR: folder });
  const address = `${site.origin}/media/film.mp4`;
  expect((await fetch(address, { method: "HEAD" })).headers.get("Content-Length")).toBe(
    String(1024 * mebibyte),
  );

  const before = residentMiB(site);
  const socket = await openSocket(Number(new URL(address).port));
  let first = "";
  socket.once("data", (chunk) => {
    first = String(chunk).slice(0, 15);
    socket.pause();
  });
  socket.write("GET /media/film.mp4 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await settled(() => socket.bytesRead);
  expect(first).toBe("HTTP/1.1 200 OK");
  const grown = residentMiB(site) - before;
  figure(task.name, "resident memory grows by", grown, "MiB");
  expect((await fetch(`${site.origin}/healthz`)).status).toBe(200);
  socket.destroy();
});
