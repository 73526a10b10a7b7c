import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { formUpload, jsonUpload, upload } from "#tests/support/requests/endless-upload.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { residentMiB } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The memory of a server while it refuses uploads of 300 MB. */

const site = await startSite({ RATE_LIMIT_POINTS: "1000000" });
const { cookie } = await signUpAt(site.origin, "uploader@example.org");

test.each([
  ["one upload of 300 MB", 1],
  ["twelve uploads of 300 MB at once", 12],
])("%s", async (name, count) => {
  const before = residentMiB(site);
  let peak = before;
  const onPiece = () => {
    peak = Math.max(peak, residentMiB(site));
  };
  const sent = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      upload(
        { origin: site.origin, cookie, onPiece },
        { ...(at % 2 ? jsonUpload : formUpload), isChunked: true },
      ),
    ),
  );
  for (const { answer } of sent) expect(answer).toMatch(/^HTTP\/1\.1 (413|503) /);
  figure(name, "resident memory grows by", peak - before, "MiB");
});
