import type { PlayableBitmaps, PlayableSubtitle } from "#app/domain/playback/playback.ts";
import { delayCues } from "./delayed-cues.ts";
import { drawBitmaps } from "./drawn-bitmaps.ts";
import { draw, type SubtitleDrawing } from "./drawn-subtitles.ts";
import type { OfferedSubtitles } from "./track-choice.ts";

type ShownTrack = OfferedSubtitles & { isDrawable: boolean };
export type Captions = {
  tracks: readonly ShownTrack[];
  /** The key of the shown track; null if none is shown. */
  shown: string | null;
  isDrawn: boolean;
};
export const noCaptions: Captions = { tracks: [], shown: null, isDrawn: false };

export const textTracksOf = (video: HTMLVideoElement) =>
  [...video.textTracks].filter(({ kind }) => kind === "captions" || kind === "subtitles");

const elementOf = (video: HTMLVideoElement, track: TextTrack) =>
  [...video.querySelectorAll("track")].find((element) => element.track === track);

type Options = {
  registered: readonly PlayableSubtitle[];
  bitmaps: readonly PlayableBitmaps[];
  isPlain: boolean;
  onChange(captions: Captions): void;
};

/**
 * Shows one subtitle track at a time: as the browser's text track, or drawn over the film. Subtitles that are pictures
 * are always drawn.
 */
export class SubtitleScreen {
  readonly #video: HTMLVideoElement;
  readonly #options: Options;
  readonly #stopListening: () => void;
  #chosen: TextTrack | null = null;
  #isPlain: boolean;
  #canDraw = true;
  /** The pictures that could not be drawn when they were last chosen. */
  readonly #failedBitmaps = new Set<string>();
  #isNativeFullscreen = false;
  #drawing: SubtitleDrawing | null = null;
  #lifted = 0;
  #delay = 0;

  constructor(video: HTMLVideoElement, options: Options) {
    this.#video = video;
    this.#options = options;
    this.#isPlain = options.isPlain;
    this.#stopListening = listen(video, {
      onBrowserChange: () => this.#onBrowserChange(),
      onList: () => this.#report(),
      onTime: () => {
        if (this.#delay !== 0) this.#delayCues();
      },
      onFullscreen: (isNative) => {
        this.#isNativeFullscreen = isNative;
        this.#update();
      },
    });
    this.#update();
  }

  show(key: string | null) {
    this.#chosen = key === null ? null : (textTracksOf(this.#video)[Number(key)] ?? null);
    this.#failedBitmaps.clear();
    this.#update();
  }

  setPlain(isPlain: boolean) {
    this.#isPlain = isPlain;
    this.#update();
  }

  /** Keeps drawn lines above the controls, which cover this share of the film. The browser's text tracks stay. */
  lift(share: number) {
    this.#lifted = share;
    this.#drawing?.lift(share);
  }

  /** Delays the lines by these seconds. A negative number shows them earlier. */
  setDelay(seconds: number) {
    this.#delay = seconds;
    this.#drawing?.delay(seconds);
    this.#delayCues();
  }

  #delayCues() {
    for (const track of textTracksOf(this.#video)) delayCues(track, this.#delay);
  }

  end() {
    this.#stopListening();
    this.#drawing?.end();
  }

  #sourceOf(track: TextTrack): PlayableSubtitle | undefined {
    const address = elementOf(this.#video, track)?.getAttribute("src");
    return this.#options.registered.find(({ url }) => url === address);
  }

  #bitmapsOf(track: TextTrack | null): PlayableBitmaps | undefined {
    const address = track && elementOf(this.#video, track)?.dataset.bitmaps;
    return this.#options.bitmaps.find(({ url }) => url === address);
  }

  #update() {
    const bitmaps = this.#bitmapsOf(this.#chosen);
    const isDrawn = this.#chosen && this.#canDraw && !this.#isPlain && !this.#isNativeFullscreen;
    const drawn = isDrawn ? (this.#sourceOf(this.#chosen as TextTrack)?.drawn ?? null) : null;
    for (const track of textTracksOf(this.#video)) {
      const mode = track === this.#chosen && drawn === null && !bitmaps ? "showing" : "disabled";
      if (track.mode !== mode) track.mode = mode;
    }
    const wanted = bitmaps && this.#failedBitmaps.has(bitmaps.url) ? null : (bitmaps ?? drawn);
    if (this.#drawing?.url !== wanted?.url) {
      this.#drawing?.end();
      this.#drawing = bitmaps
        ? wanted && drawBitmaps(this.#video, bitmaps.url, () => this.#onCannotDrawBitmaps(bitmaps.url))
        : drawn && draw(this.#video, drawn, () => this.#onCannotDraw());
      this.#drawing?.lift(this.#lifted);
      this.#drawing?.delay(this.#delay);
    }
    this.#report();
  }

  #report() {
    const all = textTracksOf(this.#video);
    const at = this.#chosen ? all.indexOf(this.#chosen) : -1;
    const tracks = all.map((track, index): ShownTrack => {
      const source = this.#sourceOf(track);
      const bitmaps = this.#bitmapsOf(track);
      const { role = "dialogue", isForDeaf = false } = source ?? bitmaps ?? {};
      const isDrawable = source?.drawn != null && this.#canDraw;
      const isFailed = bitmaps !== undefined && this.#failedBitmaps.has(bitmaps.url);
      const label = `${track.label || track.language}${isFailed ? ": could not be drawn" : ""}`;
      return { key: `${index}`, language: track.language, label, role, isForDeaf, isDrawable };
    });
    this.#options.onChange({ tracks, shown: at < 0 ? null : `${at}`, isDrawn: this.#drawing !== null });
  }

  /** Falls back to plain text if the browser has no WebAssembly or the worker does not load. */
  #onCannotDraw() {
    this.#canDraw = false;
    this.#update();
  }

  #onCannotDrawBitmaps(url: string) {
    this.#failedBitmaps.add(url);
    this.#update();
  }

  /** Follows a change of the text tracks in the browser's own menu, for example in full screen on an iPhone. */
  #onBrowserChange() {
    const showing = textTracksOf(this.#video).find(({ mode }) => mode === "showing") ?? null;
    if (showing === this.#chosen || (showing === null && this.#drawing !== null)) return this.#report();
    this.#chosen = showing;
    this.#update();
  }
}

type Listeners = {
  onBrowserChange(): void;
  onList(): void;
  onTime(): void;
  onFullscreen(isNative: boolean): void;
};

function listen(
  video: HTMLVideoElement,
  { onBrowserChange, onList, onTime, onFullscreen }: Listeners,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  video.textTracks.addEventListener("change", onBrowserChange, { signal });
  for (const event of ["addtrack", "removetrack"])
    video.textTracks.addEventListener(event, onList, { signal });
  // The cues of a file load when its track is first shown. The cues of a stream arrive while it plays.
  video.addEventListener("load", onTime, { signal, capture: true });
  video.addEventListener("timeupdate", onTime, { signal });
  // In full screen, an iPhone shows only the video element and its text tracks.
  video.addEventListener("webkitbeginfullscreen", () => onFullscreen(true), { signal });
  video.addEventListener("webkitendfullscreen", () => onFullscreen(false), { signal });
  return () => ended.abort();
}
