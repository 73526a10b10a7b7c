import { expect } from "vitest";
import type { Device } from "#tests/support/browser/device.ts";

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

export const playFilm = (device: Device) =>
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
    })
    .toBe(true);
}

/** Waits until the film can play. Until then, says why it does not. */
export const filmIsReady = (device: Device) => expect.poll(() => missing(device)).toBe("");

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
  await filmIsReady(device);
  await playFilm(device);
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
