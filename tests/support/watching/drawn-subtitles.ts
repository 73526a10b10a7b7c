import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Device, seek } from "#tests/support/browser/device.ts";
import { type BrowserName, openPages } from "#tests/support/browser/open-pages.ts";
import { filmIsReady } from "#tests/support/browser/watched-film.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Styled subtitles are drawn over the film as libass draws them for ffmpeg. */

const [width, height] = [640, 360];
const films = join(temporaryFolder("films"), "films");
mkdirSync(films);
const film = join(films, "Cowboy Bebop - 01.mkv");

const spread = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `{\\fs14\\pos(${20 + 32 * (at % 20)},${15 + 23 * Math.floor(at / 20)})}${at}`,
  );

/** One line for every two seconds. */
const lines: Record<string, string | string[]> = {
  "a sign": "{\\an5\\pos(320,90)}駅 Station",
  "a turned sign": "{\\an5\\pos(320,180)\\frz30}Station",
  "a turned sign in space": "{\\an5\\pos(320,180)\\frx40\\fry30}Station",
  "a sheared sign": "{\\an5\\pos(320,180)\\fax0.5\\fay0.1}Station",
  "a clipped sign": "{\\an5\\pos(320,180)\\clip(240,100,360,260)}Station",
  "a sign with a hole": "{\\an5\\pos(320,180)\\iclip(300,100,340,260)}Station",
  "a sign in a drawn clip": "{\\an5\\pos(320,180)\\clip(m 240 120 l 400 120 320 240)}Station",
  karaoke: "{\\an5\\pos(320,180)\\k40}Sta{\\kf120}tion",
  "karaoke of outlines": "{\\an5\\pos(320,180)\\ko60}Sta{\\ko120}tion",
  "a sign that moves": "{\\an5\\move(100,100,500,250)}Station",
  "a sign that grows": "{\\an5\\pos(320,180)\\t(0,2000,\\fscx200\\fscy200)}Station",
  "a sign that fades": "{\\an5\\pos(320,180)\\fad(1600,0)}Station",
  "a drawing": "{\\an7\\pos(200,100)\\p1}m 0 0 l 200 0 200 100 100 160 0 100{\\p0}",
  "a wide border": "{\\an5\\pos(320,180)\\bord6\\shad5\\blur3}Station",
  "a bold weight": "{\\an5\\pos(320,180)\\fnDejaVu Sans\\b700}Weight",
  "a book weight": "{\\an5\\pos(320,180)\\fnDejaVu Sans\\b400}Weight",
  "upright Japanese": "{\\an5\\pos(320,180)\\fn@M PLUS 1p ExtraBold\\frz-90}雨が降る駅",
  "a line from right to left": "{\\an5\\fnDejaVu Sans}שלום world עולם",
  "a line of Japanese": "{\\an5}雨が降る駅",
  "300 signs at once": spread(300),
};
const script = `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${height}
ScaledBorderAndShadow: yes
YCbCr Matrix: None

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,M PLUS 1p ExtraBold,48,&H00FFFFFF,&H000000FF,&H000060FF,&H00808080,0,0,0,0,100,100,0,0,1,2,0,2,10,10,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${Object.values(lines)
  .flatMap((texts, at) =>
    [texts].flat().map((text) => `Dialogue: 0,${clock(2 * at)},${clock(2 * at + 2)},Default,,0,0,0,,${text}`),
  )
  .join("\n")}
`;
function clock(seconds: number) {
  return `0:00:${String(seconds).padStart(2, "0")}.00`;
}

const ffmpeg = (...options: string[]) =>
  execFileSync("ffmpeg", ["-v", "error", "-y", ...options], { maxBuffer: 64 * 1024 * 1024 });

/** A film that contains the script and its fonts. Neither is beside it as a file. */
function makeFilm() {
  const folder = temporaryFolder("parts");
  const ass = join(folder, "script.ass");
  writeFileSync(ass, script);
  const gray = `color=gray:s=${width}x${height}:r=25:d=${2 * Object.keys(lines).length + 4}`;
  const codec = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "200k", "-g", "50"];
  const picture = encodedOnce({
    commands: [["ffmpeg", "-v", "error", "-f", "lavfi", "-i", gray, ...codec, "picture.webm"]],
    result: "picture.webm",
  });
  const fonts = [
    "public/fonts/MPLUS1p-ExtraBold.ttf",
    ...["", "-Bold"].map((weight) => `${dejaVu}${weight}.ttf`),
  ];
  const attached = fonts.flatMap((font) => ["--attach-file", font]);
  execFileSync("mkvmerge", ["-q", "-o", film, picture, "--language", "0:en", ass, ...attached]);
}
const dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans";
makeFilm();

const site = await startSite({ MEDIA_DIR: films });
runTool(site, "sources", ["scan", films]);

/** Opens the page of the film and turns the subtitles on. */
async function watch(device: Device) {
  await device.open("/watch/1/1");
  await device.resize(1280, 900);
  await filmIsReady(device);
  await expect
    .poll(() => device.run(() => document.querySelector("[aria-label=Captions]") !== null))
    .toBe(true);
  // Firefox still has the choice of the previous test.
  const isOn = await device.run(
    () => document.querySelector("[aria-label=Captions]")?.getAttribute("aria-pressed") === "true",
  );
  if (!isOn) await device.press("c");
  await expect.poll(() => device.run(() => document.querySelector("canvas.JASSUB") !== null)).toBe(true);
}

/** The brightness of each pixel on black. Text, border and shadow are all brighter than the background. */
type Picture = { width: number; height: number; luma: Uint8Array };

/** The pixels that the canvas shows. */
async function pictureOf(device: Device): Promise<Picture> {
  const shown = await device.run(() => {
    const canvas = document.querySelector("canvas.JASSUB") as HTMLCanvasElement;
    const { width, height } = canvas;
    const copy = Object.assign(document.createElement("canvas"), { width, height });
    const context = copy.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const luma = new Uint8Array(width * height);
    for (let at = 0; at < luma.length; at++) {
      const [red = 0, green = 0, blue = 0, opacity = 0] = data.subarray(4 * at, 4 * at + 4);
      luma[at] = ((0.299 * red + 0.587 * green + 0.114 * blue) * opacity) / 255;
    }
    return { width, height, luma: btoa(Array.from(luma, (byte) => String.fromCharCode(byte)).join("")) };
  });
  return { ...shown, luma: new Uint8Array(Buffer.from(shown.luma, "base64")) };
}

/** The same moment in the same size, drawn by ffmpeg with the fonts in the film. */
function expected(seconds: number, { width: shownWidth, height: shownHeight }: Picture): Picture {
  const path = film.replace(/[:\\']/g, "\\$&");
  const subtitles = `subtitles=filename='${path}':original_size=${width}x${height}`;
  const black = `color=black:s=${shownWidth}x${shownHeight}:r=25:d=0.04,format=rgb24`;
  const bytes = ffmpeg(
    ...["-f", "lavfi", "-i", black, "-vf", `setpts=PTS+${seconds}/TB,${subtitles},format=gray`],
    ...["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
  );
  return { width: shownWidth, height: shownHeight, luma: new Uint8Array(bytes) };
}

/** Half the brightness of the darkest drawn pixel. */
const threshold = 64;
const isDrawn = (luma = 0) => luma > threshold;

/** The share of drawn pixels that both pictures draw. */
function overlapOf(one: Picture, other: Picture): number {
  let [either, both] = [0, 0];
  for (const [at, luma] of one.luma.entries()) {
    const [here, there] = [isDrawn(luma), isDrawn(other.luma[at])];
    if (here || there) either++;
    if (here && there) both++;
  }
  return either === 0 ? 0 : both / either;
}

function boxOf(one: Picture, other: Picture) {
  const { width, height } = one;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if ([one, other].some(({ luma }) => isDrawn(luma[y * width + x]))) {
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
      }
  return { left, top, right, bottom };
}

/** The mean structural similarity of windows of 8 by 8 pixels, over the box that contains the drawing of either picture. */
function similarityOf(one: Picture, other: Picture): number {
  const { left, top, right, bottom } = boxOf(one, other);
  const size = 8;
  let [sum, count] = [0, 0];
  for (let y = top; y <= Math.max(top, bottom - size); y += 4)
    for (let x = left; x <= Math.max(left, right - size); x += 4) {
      sum += similarityOfWindow(one, other, { x, y, size });
      count++;
    }
  return sum / count;
}

function similarityOfWindow(
  one: Picture,
  other: Picture,
  { x, y, size }: { x: number; y: number; size: number },
): number {
  const [c1, c2] = [6.5025, 58.5225];
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let row = y; row < y + size; row++)
    for (let column = x; column < x + size; column++) {
      const at = row * one.width + column;
      const [p = 0, q = 0] = [one.luma[at], other.luma[at]];
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  const n = size * size;
  const [meanA, meanB] = [a / n, b / n];
  const [varianceA, varianceB, covariance] = [
    aa / n - meanA ** 2,
    bb / n - meanB ** 2,
    ab / n - meanA * meanB,
  ];
  return (
    ((2 * meanA * meanB + c1) * (2 * covariance + c2)) /
    ((meanA ** 2 + meanB ** 2 + c1) * (varianceA + varianceB + c2))
  );
}

const isAlike = ({ similarity, overlap }: { similarity: number; overlap: number }) =>
  similarity >= 0.95 && overlap >= 0.97;

/** Waits, because the browser shows a frame a moment after the film has arrived at it. */
async function looksAsExpected(device: Device, line: string, seconds: number) {
  let wanted = expected(seconds, await pictureOf(device));
  const compare = async () => {
    const shown = await pictureOf(device);
    // The canvas gets its size with the first frame.
    if (shown.luma.length !== wanted.luma.length) wanted = expected(seconds, shown);
    return { line, similarity: similarityOf(shown, wanted), overlap: overlapOf(shown, wanted) };
  };
  await expect.poll(compare).toSatisfy(isAlike);
}

export async function testDrawnSubtitles(browser: BrowserName) {
  const open = await openPages(browser);

  test("the lines look as ffmpeg draws them, and the page is still forbidden to compile WebAssembly", async () => {
    const { device, trouble } = await open(site.origin);
    await watch(device);
    for (const [at, line] of Object.keys(lines).entries()) {
      const seconds = 2 * at + 1;
      await seek(device, seconds);
      await looksAsExpected(device, line, seconds);
    }
    const refused = await device.run(() => {
      try {
        new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toBe(true);
    expect(trouble.filter((one) => !one.includes("WebAssembly"))).toEqual([]);
  });

  test("the subtitles as plain text are a text track, also in the full screen of an iPhone", async () => {
    const { device } = await open(site.origin);
    await watch(device);
    const shown = () =>
      device.run(() => ({
        isDrawn: document.querySelector("canvas.JASSUB") !== null,
        isText: [...(document.querySelector("video") as HTMLVideoElement).textTracks].some(
          ({ mode }) => mode === "showing",
        ),
      }));
    expect(await shown()).toEqual({ isDrawn: true, isText: false });
    const dispatch = (event: string) =>
      device.run((wanted: string) => {
        document.querySelector("video")?.dispatchEvent(new Event(wanted));
      }, event);
    await dispatch("webkitbeginfullscreen");
    await expect.poll(shown).toEqual({ isDrawn: false, isText: true });
    await dispatch("webkitendfullscreen");
    await expect.poll(shown).toEqual({ isDrawn: true, isText: false });
  });
}
