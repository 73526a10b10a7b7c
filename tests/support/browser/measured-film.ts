import sharp from "sharp";
import { expect } from "vitest";
import { boxOf, type Device } from "#tests/support/browser/device.ts";
import { bandShare, barColors, barsShare, codeBits, codeCells } from "#tests/support/data/made-films.ts";

/** Measures what a watch page shows and lets hear of a film with bars: the bars, the time code, the tone, the subtitles. */

type Measured = {
  seconds: number;
  frames: number;
  size: string;
  bars: string;
  /** The second that the picture shows, to half a second. Null: the picture has no time code. */
  code: number | null;
  /** Red, green and blue in the middle of the band between the bars and the time code. */
  band: number[];
  /** The share of pixels of the band that differ from the lines above and below. */
  combed: number;
};

const layout = { barsShare, bandShare, bars: barColors.length, codeBits, codeCells };

/** Measures the present frame. */
export const measureFrame = (device: Device) =>
  device.run((scene: typeof layout): Measured => {
    const video = document.querySelector("video") as HTMLVideoElement;
    const { videoWidth: width, videoHeight: height, currentTime: seconds } = video;
    const frames = video.getVideoPlaybackQuality().totalVideoFrames;
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.drawImage(video, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const at = (x: number, y: number) => {
      const pixel = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
      return [...data.slice(pixel, pixel + 3)];
    };
    const bits = (color: number[]) => color.map((one) => (one > 95 ? 1 : 0)).join("");
    const bars = Array.from({ length: scene.bars }, (_, bar) => bits(at((bar + 0.5) / scene.bars, 0.3)));
    const codeTop = scene.barsShare + scene.bandShare;
    const cells = Array.from({ length: scene.codeCells }, (_, cell) =>
      bits(at((cell + 0.5) / scene.codeCells, (1 + codeTop) / 2)),
    );
    const isCode =
      cells.every((one) => one === "000" || one === "111") && cells[0] === "111" && cells.at(-1) === "000";
    const number = cells
      .slice(1, 1 + scene.codeBits)
      .reduce((sum, cell, bit) => sum + (cell === "111" ? 2 ** bit : 0), 0);
    let [combed, all] = [0, 0];
    const red = (x: number, y: number) => data[4 * (y * width + x)] ?? 0;
    const lines = [scene.barsShare + 0.02, codeTop - 0.02].map((share) => Math.floor(share * height));
    for (let x = 0; x < width; x += 3)
      for (let y = lines[0] ?? 0; y < (lines[1] ?? 0); y++) {
        const [above, here, below] = [red(x, y - 1), red(x, y), red(x, y + 1)];
        if (Math.abs(here - above) > 60 && Math.abs(here - below) > 60) combed++;
        all++;
      }
    return {
      seconds,
      frames,
      size: `${width}x${height}`,
      bars: bars.join(" "),
      code: isCode ? number / 2 : null,
      band: at(0.5, (scene.barsShare + codeTop) / 2),
      combed: combed / Math.max(1, all),
    };
  }, layout);

export const allBars = barColors.join(" ");

type Heard = {
  /** The second of the film at which the tone was measured. */
  seconds: number;
  hertz: number;
};

/**
 * The loudest frequency that is heard. Firefox lets no page hear anything on a machine without loudspeakers, so there the
 * function decodes the part of the sound that the page has loaded for the present time. Null: there is none yet.
 */
export const measureTone = (device: Device): Promise<Heard | null> =>
  device.run(async (): Promise<Heard | null> => {
    type Metered = HTMLVideoElement & { meter?: AnalyserNode; mozHasAudio?: boolean };
    const video = document.querySelector("video") as Metered;
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];

    async function bytesOf(url: string) {
      const answer = await fetch(url);
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
    }

    /** The init segment and the segment of the present time, of the sound that was loaded last. */
    async function loadedPart(time: number) {
      const last = loaded.findLast(({ name }) => /\/[ac]\d+-\d+\.m4s$/.test(name))?.name;
      if (last === undefined) return null;
      const track = last.replace(/-\d+\.m4s$/, "");
      const playlist = await (await fetch(`${track}.m3u8`)).text();
      let [index, from] = [0, 0];
      for (const [, length] of playlist.matchAll(/^#EXTINF:([\d.]+)/gm)) {
        if (time < from + Number(length)) break;
        from += Number(length);
        index++;
      }
      const url = `${track}-${index}.m4s`;
      if (!loaded.some(({ name }) => name === url)) return null;
      const [head, body] = [await bytesOf(`${track}.mp4`), await bytesOf(url)];
      if (!head || !body) return null;
      const bytes = new Uint8Array(head.length + body.length);
      bytes.set(head);
      bytes.set(body, head.length);
      return { from, bytes };
    }

    async function decodedTone(): Promise<Heard | null> {
      if (!video.mozHasAudio) return null;
      const time = video.currentTime;
      const isPackaged = video.currentSrc.startsWith("blob:");
      const whole = isPackaged ? null : await bytesOf(video.currentSrc);
      const part = isPackaged ? await loadedPart(time) : whole && { from: 0, bytes: whole };
      if (!part) return null;
      const rate = 48_000;
      const decoded = await new OfflineAudioContext(1, rate, rate).decodeAudioData(part.bytes.buffer);
      const samples = decoded.getChannelData(0);
      const first = isPackaged ? Math.floor(samples.length / 3) : Math.floor(time * rate);
      // Counts how often the tone rises above zero within a fifth of a second.
      const piece = samples.subarray(first, first + rate / 5);
      const rises: number[] = [];
      for (let at = 1; at < piece.length; at++)
        if ((piece[at - 1] ?? 0) < 0 && (piece[at] ?? 0) >= 0) rises.push(at);
      const [start, end] = [rises[0] ?? 0, rises.at(-1) ?? 0];
      const isLoud = piece.some((one) => Math.abs(one) > 0.02);
      if (!isLoud || rises.length < 2) return null;
      return { seconds: part.from + first / rate, hertz: ((rises.length - 1) * rate) / (end - start) };
    }

    if ("mozHasAudio" in video) return decodedTone();
    if (!video.meter) {
      const audio = new AudioContext();
      video.meter = audio.createAnalyser();
      video.meter.fftSize = 32768;
      video.meter.smoothingTimeConstant = 0;
      audio.createMediaElementSource(video).connect(video.meter).connect(audio.destination);
      void audio.resume();
    }
    const { meter } = video;
    const bins = new Float32Array(meter.frequencyBinCount);
    meter.getFloatFrequencyData(bins);
    const loudest = bins.reduce((best, level, index) => (level > (bins[best] ?? 0) ? index : best), 0);
    const [level = -1000] = bins.subarray(loudest);
    if (level < -50) return null;
    // The window of the measurement ends now.
    const windowSeconds = meter.fftSize / meter.context.sampleRate;
    return {
      seconds: video.currentTime - windowSeconds / 2,
      hertz: (loudest * meter.context.sampleRate) / meter.fftSize,
    };
  });

/** How the page has loaded the film. */
export const measureWay = (device: Device) =>
  device.run(() => {
    const video = document.querySelector("video");
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const used = (pattern: RegExp) => loaded.some(({ name }) => pattern.test(name));
    const isPackaged = video?.currentSrc.startsWith("blob:") ?? false;
    if (!isPackaged) return "as it is";
    const parts = [used(/\/h-\d+\.m4s$/) ? "picture" : "", used(/\/c\d+-\d+\.m4s$/) ? "sound" : ""].filter(
      Boolean,
    );
    return parts.length === 0 ? "packaged" : `converted ${parts.join(" and ")}`;
  });

type Raster = { width: number; height: number; data: Buffer };

/** The picture of the film as it lies on the screen, without what the player's controls cover. */
export async function screenOfFilm(device: Device): Promise<Raster & { shareOfHeight: number }> {
  // The player names the captions for a moment after they were changed.
  const isNamed = () => device.run(() => document.querySelector(".player-shown") !== null);
  await expect.poll(isNamed).toBe(false);
  const box = await boxOf(device, "video");
  const bar = await boxOf(device, ".player-bar");
  const frame = await device.run(() => {
    const { videoWidth, videoHeight } = document.querySelector("video") as HTMLVideoElement;
    return { width: videoWidth, height: videoHeight };
  });
  const scale = Math.min(box.width / frame.width, box.height / frame.height);
  const [width, height] = [Math.floor(frame.width * scale), Math.floor(frame.height * scale)];
  const left = Math.ceil(box.x + (box.width - width) / 2);
  const top = Math.ceil(box.y + (box.height - height) / 2);
  const visible = Math.min(height, Math.floor(bar.y - top));
  const { data, info } = await sharp(await device.screenshot())
    .extract({ left, top, width, height: visible })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data, shareOfHeight: visible / height };
}

export type Box = { left: number; right: number; top: number; bottom: number };

/** The box in which two pictures of the screen differ, in hundredths of the film's picture. Null: they are alike. */
export function differenceOf(one: Awaited<ReturnType<typeof screenOfFilm>>, other: Raster): Box | null {
  const { width, height, data, shareOfHeight } = one;
  if (other.width !== width || other.height !== height) return null;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x);
      const isSame = [0, 1, 2].every(
        (channel) => Math.abs((data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)) < 40,
      );
      if (isSame) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
  if (right < 0) return null;
  const down = (y: number) => Math.round((100 * shareOfHeight * y) / height);
  return {
    left: Math.round((100 * left) / width),
    right: Math.round((100 * (right + 1)) / width),
    top: down(top),
    bottom: down(bottom + 1),
  };
}
