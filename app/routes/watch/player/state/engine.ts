import { createFailure, diagnose, type PlayFailure } from "./play-failure.ts";
import { type Ability, canPlay, type PlayerSource } from "./playback.ts";

/** Brings a source to a video element: by itself where the browser can, through hls.js where it must be fed. */

export type Quality = { index: number; height: number; bitrate: number };
export type Engine = {
  /** An index of the qualities, or null for automatic. */
  choose(quality: number | null): void;
  end(): void;
};
type Callbacks = {
  onQualities(qualities: Quality[]): void;
  onFailure(failure: PlayFailure): void;
};

const commonCodecs = 'video/mp4; codecs="avc1.42E01E,mp4a.40.2"';

export const detectAbility = (video: HTMLVideoElement): Ability => ({
  feedsHls: typeof MediaSource !== "undefined" && MediaSource.isTypeSupported(commonCodecs),
  playsHls: video.canPlayType("application/vnd.apple.mpegurl") !== "",
  canPlayFile: (type) => video.canPlayType(type) !== "",
});

const nothing: Engine = { choose: () => {}, end: () => {} };

export function attach(video: HTMLVideoElement, source: PlayerSource, callbacks: Callbacks): Engine {
  const ability = detectAbility(video);
  callbacks.onQualities([]);
  if (!canPlay(source, ability)) {
    callbacks.onFailure(createFailure("unsupported"));
    return nothing;
  }
  return source.type === "hls" && ability.feedsHls
    ? feed(video, source, callbacks)
    : hand(video, source, callbacks);
}

/** A file, or a stream that the browser plays by itself. */
function hand(video: HTMLVideoElement, source: PlayerSource, { onFailure }: Callbacks): Engine {
  const { url } = source;
  const leaving = new AbortController();
  const onError = () => {
    const brokeOff = video.error?.code === MediaError.MEDIA_ERR_NETWORK;
    void diagnose(url, leaving.signal).then((found) => {
      // It may answer again by now; what broke off was still no fault of the format.
      const isBack = brokeOff && found.reason === "unsupported";
      if (!leaving.signal.aborted) onFailure(isBack ? createFailure("offline") : found);
    });
  };
  video.addEventListener("error", onError);
  for (const child of video.querySelectorAll("source")) child.remove();
  video.src = url;
  return {
    choose: () => {},
    end() {
      leaving.abort();
      video.removeEventListener("error", onError);
      video.removeAttribute("src");
      video.load();
    },
  };
}

/** The proxy counts requests; hls.js would give up at the first refusal, so it waits instead. */
const patience = {
  maxNumRetry: 6,
  retryDelayMs: 1500,
  maxRetryDelayMs: 20_000,
  backoff: "exponential" as const,
};
const loadPolicy = {
  default: {
    maxTimeToFirstByteMs: 15_000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: {
      ...patience,
      shouldRetry: (
        _: unknown,
        tries: number,
        isTimeout: boolean,
        response?: { code?: number | undefined },
      ) =>
        !isTimeout && tries < (response?.code === 429 ? patience.maxNumRetry : 2) && response?.code !== 404,
    },
  },
};

function feed(video: HTMLVideoElement, source: PlayerSource, { onQualities, onFailure }: Callbacks): Engine {
  let player: import("hls.js").default | undefined;
  let wanted: number | null = null;
  const ended = new AbortController();
  const { url } = source;
  void import("hls.js").then(
    ({ default: Hls }) => {
      if (ended.signal.aborted) return;
      const hls = new Hls({
        fragLoadPolicy: loadPolicy,
        playlistLoadPolicy: loadPolicy,
        manifestLoadPolicy: loadPolicy,
        backBufferLength: 60,
      });
      player = hls;
      let mended = 0;
      hls.on(Hls.Events.MANIFEST_PARSED, () => {
        onQualities(hls.levels.map(({ height, bitrate }, index) => ({ index, height, bitrate })));
        hls.nextLevel = wanted ?? -1;
      });
      hls.on(Hls.Events.ERROR, (_, { fatal, type, frag, context }) => {
        if (!fatal) return;
        if (type === Hls.ErrorTypes.MEDIA_ERROR && mended++ < 2) return hls.recoverMediaError();
        hls.stopLoad();
        if (type === Hls.ErrorTypes.MEDIA_ERROR) return onFailure(createFailure("unsupported"));
        const refused = frag?.url ?? context?.url ?? url;
        whenSpent(video, ended.signal, () => {
          void diagnose(refused, ended.signal).then((found) => {
            // What was refused to hls.js may answer by now; it still did not play.
            if (!ended.signal.aborted)
              onFailure(found.reason === "unsupported" ? createFailure("offline") : found);
          });
        });
      });
      hls.loadSource(url);
      hls.attachMedia(video);
    },
    () => onFailure(createFailure("offline")),
  );
  return {
    choose(quality) {
      wanted = quality;
      if (player) player.nextLevel = quality ?? -1;
    },
    end() {
      ended.abort();
      player?.destroy();
    },
  };
}

/** What has been loaded still plays; nobody is told of the end before it is reached. */
function whenSpent(video: HTMLVideoElement, leaving: AbortSignal, tell: () => void) {
  const told = new AbortController();
  const look = () => {
    const { buffered, currentTime } = video;
    for (let part = 0; part < buffered.length; part++)
      if (buffered.start(part) <= currentTime && currentTime < buffered.end(part) - 0.5) return;
    told.abort();
    tell();
  };
  leaving.addEventListener("abort", () => told.abort(), { once: true });
  for (const event of ["timeupdate", "waiting", "seeking"])
    video.addEventListener(event, look, { signal: told.signal });
  look();
}
