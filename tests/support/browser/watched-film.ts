import { expect } from "vitest";
import type { Device } from "#tests/support/browser/device.ts";
import { patient } from "#tests/support/browser/player.ts";

/** Plays the film of a watch page in a browser and checks what is seen and heard. */

type Watched = { seconds: number; parts: number; isPackaged: boolean; frames: number; isHeard: boolean };

/** Measures the sound. Firefox cannot do that on a machine without loudspeakers, but it tells whether the film has sound. */
const measure = (device: Device) =>
  device.run((): Watched => {
    type Metered = HTMLVideoElement & { meter?: AnalyserNode; mozHasAudio?: boolean };
    const video = document.querySelector("video") as Metered;
    if (!video.meter && !("mozHasAudio" in video)) {
      const audio = new AudioContext();
      video.meter = audio.createAnalyser();
      video.meter.fftSize = 32768;
      audio.createMediaElementSource(video).connect(video.meter).connect(audio.destination);
      void audio.resume();
    }
    const heard = new Float32Array(video.meter?.fftSize ?? 0);
    video.meter?.getFloatTimeDomainData(heard);
    return {
      seconds: video.currentTime,
      parts: video.buffered.length,
      isPackaged: video.currentSrc.startsWith("blob:"),
      frames: video.getVideoPlaybackQuality().totalVideoFrames,
      isHeard: video.mozHasAudio ?? heard.some((one) => Math.abs(one) > 0.05),
    };
  });

const play = (device: Device) =>
  device.run(async () => {
    await (document.querySelector("video") as HTMLVideoElement).play();
  });

/** Waits until the playing film has shown frames and a beep. */
async function isSeenAndHeard(device: Device) {
  const before = await measure(device);
  let isHeard = false;
  await expect
    .poll(async () => {
      const now = await measure(device);
      isHeard ||= now.isHeard;
      return now.seconds > before.seconds + 0.5 && now.frames > before.frames && isHeard;
    }, patient)
    .toBe(true);
}

/** Empty once the first frame is shown. Until then, the message on the page and the parts that the page has requested. */
const missing = (device: Device) =>
  device.run(() => {
    const video = document.querySelector("video");
    if (video && video.readyState >= 2) return "";
    const requests = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return [
      `readyState ${video?.readyState}, ${video?.error?.message ?? "no error"}`,
      document.querySelector(".player")?.textContent,
      ...requests.slice(-12).map(({ name, responseStatus }) => `${responseStatus} ${name}`),
    ].join("\n");
  });

/** Checks that the page's film plays, also after a seek to each of these times. */
export async function playsAndSeeks(device: Device, times: readonly number[]) {
  await expect.poll(() => missing(device), patient).toBe("");
  await play(device);
  await isSeenAndHeard(device);
  const { parts, isPackaged } = await measure(device);
  // For a film that is a single file, the browser also buffers the index at the end.
  if (isPackaged) expect(parts, "buffered ranges").toBe(1);
  for (const seconds of times) await seeksTo(device, seconds);
}

/** Checks that the page's film plays on from this time. */
export async function seeksTo(device: Device, seconds: number) {
  await device.run((wanted: number) => {
    (document.querySelector("video") as HTMLVideoElement).currentTime = wanted;
  }, seconds);
  await isSeenAndHeard(device);
}

/** Checks that the page's film reaches its end after a seek to this many seconds before it. */
export async function endsAfterSeek(device: Device, secondsBefore: number) {
  await expect.poll(() => missing(device), patient).toBe("");
  await play(device);
  await isSeenAndHeard(device);
  await device.run((before: number) => {
    const video = document.querySelector("video") as HTMLVideoElement;
    video.currentTime = video.duration - before;
  }, secondsBefore);
  await expect.poll(() => device.run(() => document.querySelector("video")?.ended), patient).toBe(true);
}

type MeasuredPicture = {
  size: string;
  /** Red, green and blue in the middle. */
  middle: number[];
  /** The share of pixels in the middle column and beside it that differ from the lines above and below. */
  combed: number;
};

/** Measures the picture of the page's film at a time. */
export async function measurePicture(device: Device, seconds: number): Promise<MeasuredPicture> {
  await expect.poll(() => missing(device), patient).toBe("");
  return device.run(async (at: number): Promise<MeasuredPicture> => {
    const video = document.querySelector("video") as HTMLVideoElement;
    await new Promise((arrived) => {
      video.addEventListener("seeked", arrived, { once: true });
      video.currentTime = at;
    });
    // `seeked` can come before the picture is drawn.
    await new Promise((drawn) => setTimeout(drawn, 500));
    const { videoWidth: width, videoHeight: height } = video;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.drawImage(video, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const red = (x: number, y: number) => data[4 * (y * width + x)] ?? 0;
    let combed = 0;
    let all = 0;
    for (let x = 0; x < width; x += 3)
      for (let y = 20; y < height - 20; y++) {
        const [above, here, below] = [red(x, y - 1), red(x, y), red(x, y + 1)];
        if (Math.abs(here - above) > 60 && Math.abs(here - below) > 60) combed++;
        all++;
      }
    const middle = 4 * ((height >> 1) * width + (width >> 1));
    return { size: `${width}x${height}`, middle: [...data.slice(middle, middle + 3)], combed: combed / all };
  }, seconds);
}
