import type Hls from "hls.js";

/**
 * Until the first frame of a film is shown, hls.js loads no more than that frame needs. It would ask for the next parts while the
 * browser still decodes the first ones, and on a slow line all of them would wait for each other.
 */

/** Of picture and sound. Browsers show a frame with less. */
const neededSeconds = 1;
/** A browser shows no frame of a page that nobody sees, or of a film without a picture, and the sound can be late. */
const maxWaitMs = 2000;

/** The parts of hls.js that load the picture and the sound, changed for the first frame. */
export const loadersForFirstFrame = (hls: typeof Hls) => ({ ...promptSound(hls), ...firstPicture(hls) });

/**
 * hls.js looks ten times a second whether sound that is loaded can be added: not before the time of the picture is known. This
 * looks at once when it is.
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
 * While the browser has the first part of the picture and not yet that of the sound, hls.js takes the end of that part for the
 * viewer's place, and would load the next one.
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
      // Another rendition, or the same one after an error, begins anew.
      player.on(Events.MEDIA_DETACHING, goOn);
    }
    protected override doTick() {
      // The sound of another place is added only after the picture of that place.
      if (this.hasEnoughToStart || !this.#waitsForSound || this.media?.seeking) super.doTick();
    }
  }
  return { streamController: FirstPicture };
}

type Begun = { video: HTMLVideoElement; startAt: number; ended: AbortSignal };

export function loadFirstFrame(player: Hls, { Events }: typeof Hls, { video, startAt, ended }: Begun) {
  const { config } = player;
  const usualSeconds = config.maxMaxBufferLength;
  const goOn = () => {
    if (ended.aborted) return;
    player.off(Events.BUFFER_APPENDED, onAppended);
    // Where the browser has no more room, hls.js has chosen a length by then.
    if (config.maxMaxBufferLength === neededSeconds) config.maxMaxBufferLength = usualSeconds;
    player.resumeBuffering();
  };
  // The length counts for the picture. Of the sound, hls.js would load a second part.
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
  // Old browsers do not tell when they show a frame.
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
