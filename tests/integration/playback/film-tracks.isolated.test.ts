import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The subtitles and fonts inside the films of MEDIA_DIR. */

const folder = temporaryFolder("film-tracks");
process.env.MEDIA_DIR = folder;
// Otherwise the answers would depend on whether this machine has ffmpeg.
process.env.FFMPEG = "off";
const { request } = await import("#tests/support/site/in-process.ts");
const { attachment, ids, block, cluster, cue, element, filmOf, line, picture, subtitles } = await import(
  "#tests/support/data/matroska-bytes.ts"
);
const { pgsBox, pgsComposition, pgsEnd, pgsObject, pgsPalette, supOf, white } = await import(
  "#tests/support/data/bitmap-subtitles.ts"
);
const { newOperator } = await import("#tests/support/requests/visitor.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSource, createSubtitles } = await import("#app/domain/playback/playback.server.ts");

const head =
  "[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";
const font = readFileSync("public/fonts/MPLUS1p-ExtraBold.ttf");
const tracks = element(
  ids.tracks,
  picture,
  subtitles("S_TEXT/ASS", element(ids.codecPrivate, head), element(ids.trackName, "Full \u0007\u202eWords")),
  element(
    ids.trackEntry,
    element(ids.trackNumber, 4),
    element(ids.trackType, 17),
    element(ids.codecId, "S_HDMV/PGS"),
    element(ids.language, "ger"),
  ),
  element(
    ids.trackEntry,
    element(ids.trackNumber, 5),
    element(ids.trackType, 17),
    element(ids.codecId, "S_TEXT/USF"),
    element(ids.language, "fre"),
  ),
);
const pgs = [
  pgsComposition({ objects: [{ x: 10, y: 20 }] }),
  pgsPalette([1, ...white]),
  pgsObject({ size: [4, 2], runs: pgsBox([4, 2]) }),
  pgsEnd,
];
const film = filmOf(
  tracks,
  element(ids.cues, cue(0, tracks.length)),
  element(
    ids.attachments,
    attachment("no font.ttf", "font/ttf", "<script>alert(1)</script>"),
    attachment("M PLUS.ttf", "application/x-truetype-font", font),
    attachment("cover.jpg", "image/jpeg", "jpeg"),
  ),
  cluster(
    0,
    block(1, 0, true),
    line({ ticks: 1000, duration: 1000, text: "0,0,Default,,0,0,0,,Rain — 雨" }),
    block(4, 2000, true, pgs.flat()),
  ),
);

beforeAll(async () => {
  writeFileSync(join(folder, "Show - 01.mkv"), film);
  writeFileSync(join(folder, "Show - 01.en.ass"), head);
  await importTitles([{ kind: "title", mal_id: 1, title: "Show", episodes: 2 }]);
  await createSource({ malId: 1, episode: 1, url: "media:Show - 01.mkv" });
  await createSubtitles({ malId: 1, episode: 1, url: "media:Show - 01.en.ass", language: "en" });
});

type Subtitle = { url: string; language: string; label: string };
async function subtitlesOnWire(): Promise<Subtitle[]> {
  const answer = await request("/api/episodes/getEpisode?mal_id=1&ep=1");
  return ((await answer.json()) as { data: { subtitles: Subtitle[] } }).data.subtitles;
}
async function addressOf(name: string): Promise<string> {
  const [, inside] = await subtitlesOnWire();
  return new URL(inside?.url ?? "").pathname.replace(/[^/]*$/, name);
}

describe("the subtitles inside a film", () => {
  test("are listed after those beside the film, and picture subtitles are left out", async () => {
    expect(await subtitlesOnWire()).toEqual([
      expect.objectContaining({ label: "English", url: expect.stringContaining("/captions/") }),
      {
        url: expect.stringMatching(/\/play\/[\da-f-]{36}\/[\da-f]{12}\/s3\.vtt$/),
        language: "en",
        label: "English",
      },
    ]);
  });

  test("are served as WebVTT and as the original script", async () => {
    const plain = await request(await addressOf("s3.vtt"));
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      "content-type": "text/vtt; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
    expect(await plain.text()).toBe("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nRain — 雨\n");
    const drawn = await request(await addressOf("s3.ass"));
    expect(drawn.headers.get("Content-Type")).toBe("text/x-ssa; charset=utf-8");
    expect(await drawn.text()).toBe(`${head}Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Rain — 雨\n`);
  });

  test("that are pictures are sent as a .sup file", async () => {
    const answer = await request(await addressOf("s4.sup"));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
    });
    const sup = Buffer.from(await answer.arrayBuffer());
    expect(sup.subarray(0, 10)).toEqual(supOf({ ms: 0, segments: [[]] }));
    expect(sup.includes(Buffer.from(pgsBox([4, 2])))).toBe(true);
    expect(sup.includes(supOf({ ms: 2000, segments: [[]] }))).toBe(true);
  });

  test("stay on the disk once they were read", async () => {
    const script = await (await request(await addressOf("s3.ass"))).text();
    const cache = join(process.env.DATA_DIR ?? "", "film-cache");
    const stored = readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
    expect(stored.filter((one) => one.endsWith(script))).toHaveLength(1);
  });

  test("are renditions in the playlist for other players, but not in the playlist of the site's own player", async () => {
    const whole = await (await request(await addressOf("all.m3u8"))).text();
    expect(whole).toContain(
      'TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="s3.m3u8"',
    );
    expect(whole).toContain(',SUBTITLES="subtitles"');
    expect(whole).not.toContain("s4");
    expect(await (await request(await addressOf("main.m3u8"))).text()).not.toContain("SUBTITLES");
    expect(await (await request(await addressOf("s3.m3u8"))).text()).toContain("\ns3.vtt\n#EXT-X-ENDLIST");
  });

  test.each(["s1.vtt", "s4.vtt", "s4.ass", "s3.srt", "s3.sup", "s5.sup", "s99.vtt", "s99.sup"])(
    "%s gets 404",
    async (name) => expect((await request(await addressOf(name))).status).toBe(404),
  );

  test("appear on the page with the film's fonts, and the page says which of them cannot be shown", async () => {
    const page = await (await request("/watch/1/1.data")).text();
    for (const name of ["s3.ass", "s4.sup", "font-1"]) expect(page).toContain(await addressOf(name));
    expect(page).toContain("French (TEXT/USF)");
    expect(page).not.toContain("font-2");
  });
});

test("appear on the operator's page of the episode, which also says where the film does not play", async () => {
  const operator = await newOperator();
  const page = await htmlOf(operator.request("/admin/episode?id=1&episode=1"));
  expect(page).toContain("The picture and the sound stay as they are.");
  for (const [what, where] of [
    ["H.264, 10 bit, 1920 × 1080", "Firefox and Safari"],
    ["German, PGS", "–"],
    ["French, TEXT/USF", "all browsers"],
    ["English, ASS", "–"],
  ])
    expect(page).toContain(`<td>${what}</td><td>${where}</td>`);
  expect(page).toContain("Also in the file: 2 fonts.");
});

describe("the fonts attached to a film", () => {
  test("are served whole, with the type of their first bytes, and only the viewer's browser caches them", async () => {
    const answer = await request(await addressOf("font-1"));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "font/ttf",
      "content-length": String(font.length),
      "cache-control": "private, max-age=86400",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(font)).toBe(true);
  });

  test.each(["font-0", "font-2", "font-3", "font-x"])(
    "are not served at %s, which is no font and gets 404",
    async (name) => {
      const answer = await request(await addressOf(name));
      expect([answer.status, await answer.text()]).toEqual([404, expect.not.stringContaining("alert")]);
    },
  );

  test("get 404 at the old URL after the film has changed", async () => {
    const before = await addressOf("font-1");
    writeFileSync(join(folder, "Show - 01.mkv"), Buffer.concat([film, Buffer.alloc(10)]));
    expect((await request(before)).status).toBe(404);
  });
});
