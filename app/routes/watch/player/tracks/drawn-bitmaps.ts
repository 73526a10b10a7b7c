import workerUrl from "libpgs/dist/libpgs.worker.js?url";
import type { SubtitleDrawing } from "./drawn-subtitles.ts";

/**
 * Draws subtitles that are pictures over a film, with libpgs in a worker. Library and worker are loaded when such
 * subtitles are first chosen.
 */

/** `onFailure` is called once if the pictures cannot be drawn here. */
export function drawBitmaps(video: HTMLVideoElement, url: string, onFailure: () => void): SubtitleDrawing {
  const ended = new AbortController();
  const { signal } = ended;
  let lifted = 0;
  let delayed = 0;
  let redraw = () => {};
  let place = () => {};
  void start().catch(() => {
    if (!signal.aborted) onFailure();
  });

  async function start() {
    const [{ PgsRenderer }, bytes] = await Promise.all([import("libpgs"), fetchBytes(url, signal)]);
    if (signal.aborted) return;
    const canvas = document.createElement("canvas");
    canvas.className = "player-bitmaps";
    video.after(canvas);
    signal.addEventListener("abort", () => canvas.remove(), { once: true });
    const { screen, sets } = readSets(bytes);
    place = () => {
      const shown = sets.findLast(({ seconds }) => seconds <= video.currentTime - delayed);
      placeOver(video, canvas, { screen, lifted: shown?.isLow ? lifted : 0 });
    };
    const resized = new ResizeObserver(place);
    resized.observe(video);
    signal.addEventListener("abort", () => resized.disconnect(), { once: true });
    video.addEventListener("resize", place, { signal });
    const renderer = new PgsRenderer({ canvas, workerUrl });
    signal.addEventListener("abort", () => renderer.dispose(), { once: true });
    await renderer.loadFromBuffer(bytes);
    redraw = () => {
      if (signal.aborted) return;
      renderer.renderAtTimestamp(video.currentTime - delayed);
      place();
    };
    redraw();
    // A paused film sends no frames.
    for (const event of ["seeked", "timeupdate"]) video.addEventListener(event, redraw, { signal });
    const onFrame = () => {
      redraw();
      if (!signal.aborted) video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  }
  return {
    url,
    lift(share) {
      lifted = share;
      place();
    },
    delay(seconds) {
      delayed = seconds;
      redraw();
    },
    end: () => ended.abort(),
  };
}

async function fetchBytes(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`the subtitles answered ${response.status}`);
  return response.arrayBuffer();
}

type Size = { width: number; height: number };

/** `isLow`: everything that the set shows is in the lower half. */
type DisplaySet = { seconds: number; isLow: boolean };

const ticksPerSecond = 90_000;
const headBytes = 13;
const compositionType = 0x16;

/** The size of the screen that the pictures are made for, and where and when they are shown. */
function readSets(bytes: ArrayBuffer): { screen: Size; sets: DisplaySet[] } {
  const view = new DataView(bytes);
  const screen = { width: view.getUint16(headBytes), height: view.getUint16(headBytes + 2) };
  const sets: DisplaySet[] = [];
  for (let at = 0; at + headBytes <= bytes.byteLength; at += headBytes + view.getUint16(at + 11)) {
    if (view.getUint8(at + 10) !== compositionType) continue;
    const seconds = view.getUint32(at + 2) / ticksPerSecond;
    sets.push({ seconds, isLow: topOf(view, at + headBytes) > screen.height / 2 });
  }
  return { screen, sets };
}

const croppedFlag = 0x80;

/** Where the highest picture of a composition begins. */
function topOf(view: DataView, composition: number): number {
  let top = Number.POSITIVE_INFINITY;
  let at = composition + 11;
  for (let left = view.getUint8(composition + 10); left > 0; left--) {
    top = Math.min(top, view.getUint16(at + 6));
    at += view.getUint8(at + 3) === croppedFlag ? 16 : 8;
  }
  return top;
}

function placeOver(
  { clientWidth, clientHeight, videoWidth, videoHeight, offsetLeft, offsetTop }: HTMLVideoElement,
  { style }: HTMLCanvasElement,
  { screen, lifted }: { screen: Size; lifted: number },
) {
  if (videoWidth === 0 || videoHeight === 0) return;
  const box = { width: clientWidth, height: clientHeight };
  const { width, height } = sizeOver(box, { width: videoWidth, height: videoHeight }, screen);
  style.width = `${width}px`;
  style.height = `${height}px`;
  style.left = `${offsetLeft + (clientWidth - width) / 2}px`;
  style.top = `${offsetTop + (clientHeight - height) / 2}px`;
  // Moves the pictures up by this share of the film's height.
  style.transform = lifted === 0 ? "" : `translateY(${-lifted * clientHeight}px)`;
}

/**
 * The size of the screen over a film that fits into a box. The screen covers the film and has the same middle, because
 * films are often cropped after the disc and their subtitles are not.
 */
export function sizeOver(box: Size, film: Size, screen: Size): Size {
  const shown = Math.min(box.width / film.width, box.height / film.height);
  const aspect = aspectOf(screen, film.width / film.height);
  const width = Math.max(shown * film.width, shown * film.height * aspect);
  return { width, height: width / aspect };
}

const dvdWidths = [704, 720];

/** The pixels of a DVD are not square: its screen is 4:3 or 16:9, whatever their number. */
function aspectOf({ width, height }: Size, film: number): number {
  if (!dvdWidths.includes(width) || height > 576) return width / height;
  return film < 1.5 ? 4 / 3 : 16 / 9;
}
