import { expect, test, vi } from "vitest";
import type { FilmOrder } from "#app/media/film-work/film-job.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.MEDIA_DIR = temporaryFolder("films");
process.env.DATA_DIR = temporaryFolder("film-subtitles");
process.env.FFMPEG = "off";
type LinesOrder = { track: number; signal: AbortSignal; answer(next: object | null): void };
const orders: LinesOrder[] = [];
vi.mock("#app/domain/films/films.server.ts", async (original) => ({
  ...(await original<object>()),
  orderFilm: (order: FilmOrder & { kind: "lines" }, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const answer = (next: object | null) =>
        resolve({ answer: { kind: "lines", format: "vtt", head: "", next }, bytes: Buffer.alloc(0) });
      signal.addEventListener("abort", () => reject(signal.reason));
      orders.push({ track: order.track, signal, answer });
    }),
}));
vi.mock("#app/domain/playback/packaged/film-version.server.ts", async (original) => ({
  ...(await original<object>()),
  openVersion: async () => ({
    film: {
      size: 9,
      modifiedMs: 1,
      inspection: {
        edition: null,
        soundFiles: [],
        subtitles: [1, 2, 3].map((number) => ({ number, script: "vtt" })),
      },
    },
    file: { file: "film.mkv" },
  }),
}));
vi.mock("#app/domain/playback/packaged/subtitle-thread.server.ts", async (original) => ({
  ...(await original<object>()),
  writeOnThread: async () => ({ ok: true, value: Buffer.from("WEBVTT") }),
}));
const { readFilmSubtitles } = await import("#app/domain/playback/packaged/film-subtitles.server.ts");

function view(track: number, version = "1") {
  const leaving = new AbortController();
  const address = { film: "a film", version, track, form: "vtt" as const };
  const read = readFilmSubtitles(address, { client: "a viewer", signal: leaving.signal });
  return { read, leave: () => leaving.abort() };
}
const ordersOf = (track: number) => orders.filter((order) => order.track === track);
const untilOrdered = (track: number, count: number) =>
  vi.waitUntil(() => ordersOf(track).length === count, { timeout: 60_000 });

test("one track that no viewer waits for any more is still read, the others are not", async () => {
  const first = view(1);
  await untilOrdered(1, 1);
  first.leave();
  await expect(first.read).rejects.toThrow();
  ordersOf(1)[0]?.answer({});
  await untilOrdered(1, 2);
  const second = view(1);
  second.leave();
  await expect(second.read).rejects.toThrow();
  expect(ordersOf(1)[1]?.signal.aborted).toBe(false);
  const again = view(1);
  const other = view(2);
  await untilOrdered(2, 1);
  other.leave();
  await expect(other.read).rejects.toThrow();
  expect([ordersOf(1)[1]?.signal.aborted, ordersOf(2)[0]?.signal.aborted]).toEqual([false, false]);
  again.leave();
  await expect(again.read).rejects.toThrow();
  expect([ordersOf(1)[1]?.signal.aborted, ordersOf(2)[0]?.signal.aborted]).toEqual([false, true]);
  ordersOf(1)[1]?.answer(null);
  expect(await view(1).read).toMatchObject({ ok: true, value: { bytes: Buffer.from("WEBVTT") } });
  expect(ordersOf(1).length).toBe(2);
});

test("a track is read once for all versions that name the same file", async () => {
  const first = view(3);
  await untilOrdered(3, 1);
  ordersOf(3)[0]?.answer(null);
  expect(await first.read).toMatchObject({ ok: true });
  expect(await view(3, "2").read).toMatchObject({ ok: true });
  expect(ordersOf(3).length).toBe(1);
});
