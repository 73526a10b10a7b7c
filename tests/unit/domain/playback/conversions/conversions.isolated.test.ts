import { expect, test } from "vitest";
import type { Conversion } from "#app/domain/playback/conversions/conversions.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.FFMPEG = "off";
process.env.DATA_DIR = temporaryFolder("conversions");
const { countConversions, readConverted } = await import(
  "#app/domain/playback/conversions/conversions.server.ts"
);

test("a viewer who leaves while the cache is read starts no conversion", async () => {
  const conversion = { key: "a film", source: { track: { kind: "sound" } } } as unknown as Conversion;
  const leaving = new AbortController();
  const asked = readConverted(conversion, 0, { client: "viewer", signal: leaving.signal });
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ refusal: { reason: "overloaded" } });
  expect(countConversions()).toBe(0);
});
