import { expect, test, vi } from "vitest";

process.env.RATE_LIMIT_PLAYLIST_SECONDS = "10";
const runOnThread = vi.fn<(job: object) => Promise<unknown>>();
vi.mock("#app/platform/process/text-thread.server.ts", async (original) => ({
  ...(await original<typeof import("#app/platform/process/text-thread.server.ts")>()),
  runOnThread,
}));
const { rewriteFor, timedRewriting } = await import(
  "#app/domain/proxy/playlists/playlist-rewriter.server.ts"
);
type Job = Parameters<typeof timedRewriting>[0];

const jobOf = (text: string): Job => ({
  kind: "playlist",
  bytes: Buffer.from(text),
  base: "https://films.example/show/list.m3u8",
  definitions: [],
  sourceId: undefined,
  child: undefined,
});
const { signal } = new AbortController();
const fill = (line: string) => line.repeat(Math.floor(90_000 / line.length));

test.each([
  ["addresses of two characters", fill(".a\n")],
  ["addresses that no URL parser reads", fill("//[\n")],
  ["empty tags", `#EXT-X-MAP:URI="a"\n${fill("#\n")}`],
])("a short playlist that costs much is rewritten on the thread: %s", async (_, lines) => {
  const job = jobOf(`#EXTM3U\n${lines}`);
  runOnThread.mockImplementation(async () => timedRewriting(job));
  const outcome = await rewriteFor("192.0.2.1", job, signal);
  expect(runOnThread).toHaveBeenCalledExactlyOnceWith(job, { client: "192.0.2.1", signal });
  expect(outcome).toMatchObject({ ok: true, value: { isLive: false } });
  runOnThread.mockReset();
});

test("a film of two hours is rewritten at once", async () => {
  const segments = Array.from({ length: 1800 }, (_, at) => `#EXTINF:4,\nfilm/part-${at}.ts?token=abc\n`);
  const outcome = await rewriteFor(
    "192.0.2.2",
    jobOf(`#EXTM3U\n${segments.join("")}#EXT-X-ENDLIST\n`),
    signal,
  );
  expect(outcome).toMatchObject({ ok: true, value: { isLive: false } });
  expect(runOnThread).not.toHaveBeenCalled();
});

test("a playlist that takes all memory of the thread is refused, and its time counts for the client", async () => {
  const failure = { code: "ERR_WORKER_OUT_OF_MEMORY", ranMs: 11_000 };
  runOnThread.mockRejectedValue(Object.assign(new Error("no memory"), failure));
  const job = jobOf(`#EXTM3U\n${fill("a\n").repeat(2)}`);
  expect(await rewriteFor("192.0.2.3", job, signal)).toEqual({ ok: true, value: null });
  expect(await rewriteFor("192.0.2.3", jobOf("#EXTM3U\n"), signal)).toMatchObject({
    ok: false,
    reason: "overloaded",
  });
});
