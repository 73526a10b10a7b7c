import type Hls from "hls.js";

/**
 * Until the first frame of a film is shown, hls.js loads no more than that frame needs. Otherwise it would request the
 * next segments while the browser still decodes the first ones, and on a slow line they would delay each other.
 */

/** The seconds of picture and sound to load for the first frame. Browsers need less to show one. */
const neededSeconds = 1;
/**
 * Loading continues after this time even without a first frame. A hidden page or a film without a picture never shows
 * one, and the sound can be late.
 */
const maxWaitMs = 2000;

/** The stream controllers of hls.js for picture and sound, adapted for the first frame. */
export const loadersForFirstFrame = (hls: typeof Hls) => ({ ...promptSound(hls), ...firstPicture(hls) });

/**
 * hls.js checks ten times a second whether loaded sound can be added, which needs the time of the picture. This
 * controller checks as soon as that time is known.
 */
function promptSound({ DefaultConfig, Events }: typeof Hls) {
  const { audioStreamController: Usual } = DefaultConfig;
  if (!Usual) return {};
  class PromptSound extends Usual {
    constructor(...parts: ConstructorParameters<NonNullable<typeof Usual>>) {
      super(...parts);
      parts[0].on(Events.INIT_PTS_FOUND, () => this.tickImmediate());
    }
  }
  return { audioStreamController: PromptSound };
}

/**
 * When the browser has the first segment of the picture but not yet that of the sound, hls.js takes the end of that
 * segment for the playback position and would load the next one. This controller waits for the sound.
 */
function firstPicture({ DefaultConfig, Events }: typeof Hls) {
  const { streamController: Usual } = DefaultConfig;
  class FirstPicture extends Usual {
    #waitsForSound = false;
    constructor(...parts: ConstructorParameters<typeof Usual>) {
      super(...parts);
      const [player] = parts;
      const onAppended = (_: unknown, { parent, frag }: { parent: string; frag: { sn: unknown } }) => {
        if (parent !== "main" || frag.sn === "initSegment") return;
        player.off(Events.BUFFER_APPENDED, onAppended);
        this.#waitsForSound = true;
        setTimeout(goOn, maxWaitMs);
      };
      const goOn = () => {
        this.#waitsForSound = false;
      };
      player.on(Events.BUFFER_APPENDED, onAppended);
      // Loading another rendition, or the same one after an error, starts over.
      player.on(Events.MEDIA_DETACHING, goOn);
    }
    protected override doTick() {
      // After a seek, the sound is added only after the picture, so the picture must not wait for it.
      if (this.hasEnoughToStart || !this.#waitsForSound || this.media?.seeking) super.doTick();
    }
  }
  return { streamController: FirstPicture };
}

type StartOptions = { video: HTMLVideoElement; startAt: number; ended: AbortSignal };

export function loadFirstFrame(player: Hls, { Events }: typeof Hls, { video, startAt, ended }: StartOptions) {
  const { config } = player;
  const usualSeconds = config.maxMaxBufferLength;
  const goOn = () => {
    if (ended.aborted) return;
    player.off(Events.BUFFER_APPENDED, onAppended);
    // If the browser's buffer is full, hls.js has already set a shorter length, which stays.
    if (config.maxMaxBufferLength === neededSeconds) config.maxMaxBufferLength = usualSeconds;
    player.resumeBuffering();
  };
  // The buffer length limits only the picture. Without the pause, hls.js would load a second segment of sound.
  const onAppended = () => {
    if (hasEnough(video, startAt)) player.pauseBuffering();
  };
  const onBuffered = (_: unknown, { frag }: { frag: { type: string } }) => {
    if (frag.type !== "main") return;
    player.off(Events.FRAG_BUFFERED, onBuffered);
    setTimeout(goOn, maxWaitMs);
  };
  config.maxMaxBufferLength = neededSeconds;
  player.on(Events.BUFFER_APPENDED, onAppended);
  player.on(Events.FRAG_BUFFERED, onBuffered);
  // Old browsers do not report when they show a frame.
  if (typeof video.requestVideoFrameCallback === "function") video.requestVideoFrameCallback(goOn);
  else video.addEventListener("loadeddata", goOn, { once: true });
}

function hasEnough({ buffered, currentTime }: HTMLVideoElement, startAt: number): boolean {
  const at = Math.max(currentTime, startAt);
  for (let part = 0; part < buffered.length; part++)
    if (buffered.start(part) <= at + neededSeconds / 2 && buffered.end(part) >= at + neededSeconds)
      return true;
  return false;
}
