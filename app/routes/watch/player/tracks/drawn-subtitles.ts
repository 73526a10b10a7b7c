import type Jassub from "jassub";
import latinFontUrl from "jassub/dist/default.woff2?url";
import { japaneseFontPath } from "#app/paths.ts";
import { withMarginsOfTopLines } from "./top-lines.ts";

/**
 * Draws an ASS script over a film, with libass in a worker. Library and worker are loaded when a script is first chosen.
 */

type Script = { url: string; fonts: readonly string[] };
export type SubtitleDrawing = {
  url: string;
  /**
   * Moves lines at the bottom up by this share of the picture's height. Lines at the top or with their own position
   * stay.
   */
  lift(share: number): void;
  /** Delays all lines by these seconds. */
  delay(seconds: number): void;
  end(): void;
};

const japanese = /[\u3041-\u30ff\u3400-\u9fff]/;

/** `onFailure` is called once if the script cannot be drawn here. */
export function draw(
  video: HTMLVideoElement,
  { url, fonts }: Script,
  onFailure: () => void,
): SubtitleDrawing {
  const ended = new AbortController();
  let lifted = 0;
  let delayed = 0;
  let moveLines: (() => Promise<void>) | null = null;
  const fail = () => {
    if (!ended.signal.aborted) onFailure();
  };
  void start().catch(fail);

  async function start() {
    const [{ default: Renderer }, script] = await Promise.all([
      import("jassub"),
      fetchText(url, ended.signal),
    ]);
    if (ended.signal.aborted) return;
    // Keeps jassub from compiling WebAssembly in the page to choose between two builds. The page's policy allows
    // WebAssembly only in the worker.
    Renderer._supportsSIMD = false;
    const { faces, defaultFont } = facesFor(script, fonts);
    const subContent = withMarginsOfTopLines(script);
    const drawing = new Renderer({ video, subContent, fonts: [], defaultFont, queryFonts: false });
    ended.signal.addEventListener("abort", () => void drawing.destroy().catch(() => {}), { once: true });
    drawing._worker.addEventListener("error", fail);
    await drawing.ready;
    // Waits for the fonts: a paused film is drawn only once, and fonts that load later would be missing.
    await drawing.renderer.addFonts(faces);
    const styles = await drawing.renderer.getStyles();
    const height = heightOf(script);
    moveLines = async () => {
      if (ended.signal.aborted) return;
      drawing.timeOffset = -delayed;
      for (const [index, style] of styles.entries())
        if (style.Alignment <= maxBottomAlignment)
          void drawing.renderer.setStyle({ ...style, MarginV: style.MarginV + lifted * height }, index);
      await forgetPlaces(drawing);
      await drawNow(drawing, video, ended.signal);
    };
    await moveLines();
  }
  return {
    url,
    lift(share) {
      if (share === lifted) return;
      lifted = share;
      void moveLines?.().catch(fail);
    },
    delay(seconds) {
      if (seconds === delayed) return;
      delayed = seconds;
      void moveLines?.().catch(fail);
    },
    end: () => ended.abort(),
  };
}

const maxBottomAlignment = 3;

/** The picture height that the script's margins refer to. Scripts that name none use 288. */
const heightOf = (script: string) => Number(/^PlayResY:\s*(\d{1,5})/im.exec(script)?.[1] ?? 288);

/**
 * libass does not move a line that is already shown until the picture's size changes. This changes the size and
 * restores it.
 */
async function forgetPlaces(drawing: Jassub) {
  const { width, height } = drawing._canvas;
  await drawing.resize(false, width, height + 1);
  await drawing.resize(true);
}

/**
 * Draws the lines of the current time again, because a paused film sends no frame that would do so. Before the film has
 * begun, its poster is shown and nothing is drawn. jassub ignores a request while it draws another frame, so this
 * waits.
 */
async function drawNow(drawing: Jassub, video: HTMLVideoElement, signal: AbortSignal) {
  while (drawing.busy && !signal.aborted) await nextFrame();
  const { currentTime: mediaTime, videoWidth: width, videoHeight: height } = video;
  if (width > 0 && mediaTime > 0 && !signal.aborted)
    await drawing.manualRender({ mediaTime, width, height, expectedDisplayTime: 0 }, true);
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/**
 * Characters that the script's own fonts lack are drawn with the default font. jassub's default font has no Japanese,
 * so Japanese scripts get a Japanese default font.
 */
const facesFor = (script: string, fonts: readonly string[]) =>
  japanese.test(script)
    ? { faces: [...fonts, japaneseFontPath()], defaultFont: "M PLUS 1p ExtraBold" }
    : { faces: [...fonts, latinFontUrl], defaultFont: "Liberation Sans" };

async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`the subtitles answered ${response.status}`);
  return response.text();
}
