import { createFailure, diagnose, type PlayFailure } from "./play-failure.ts";
import { type Ability, canPlay, type PlayerSource } from "./playback.ts";

/** Attaches a source to a video element: through hls.js for HLS where the browser allows it, else directly. */

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
    ? attachWithHls(video, source, callbacks)
    : attachDirectly(video, source, callbacks);
}

/** For a file, or a stream that the browser plays without hls.js. */
function attachDirectly(video: HTMLVideoElement, source: PlayerSource, { onFailure }: Callbacks): Engine {
  const { url } = source;
  const stopped = new AbortController();
  const onError = () => {
    const isNetworkError = video.error?.code === MediaError.MEDIA_ERR_NETWORK;
    void diagnose(url, stopped.signal).then((found) => {
      // The URL may answer again by now. After a network error, the format is not the cause.
      const isBack = isNetworkError && found.reason === "unsupported";
      if (!stopped.signal.aborted) onFailure(isBack ? createFailure("offline") : found);
    });
  };
  video.addEventListener("error", onError);
  for (const child of video.querySelectorAll("source")) child.remove();
  video.src = url;
  return {
    choose: () => {},
    end() {
      stopped.abort();
      video.removeEventListener("error", onError);
      video.removeAttribute("src");
      video.load();
    },
  };
}

/** The proxy limits requests. Without these retries, hls.js would give up at the first 429. */
const retryPolicy = {
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
      ...retryPolicy,
      shouldRetry: (
        _: unknown,
        tries: number,
        isTimeout: boolean,
        response?: { code?: number | undefined },
      ) =>
        !isTimeout &&
        tries < (response?.code === 429 ? retryPolicy.maxNumRetry : 2) &&
        response?.code !== 404,
    },
  },
};

function attachWithHls(
  video: HTMLVideoElement,
  source: PlayerSource,
  { onQualities, onFailure }: Callbacks,
): Engine {
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
      let recoveries = 0;
      hls.on(Hls.Events.MANIFEST_PARSED, () => {
        onQualities(hls.levels.map(({ height, bitrate }, index) => ({ index, height, bitrate })));
        hls.nextLevel = wanted ?? -1;
      });
      hls.on(Hls.Events.ERROR, (_, { fatal, type, frag, context }) => {
        if (!fatal) return;
        if (type === Hls.ErrorTypes.MEDIA_ERROR && recoveries++ < 2) return hls.recoverMediaError();
        hls.stopLoad();
        if (type === Hls.ErrorTypes.MEDIA_ERROR) return onFailure(createFailure("unsupported"));
        const refused = frag?.url ?? context?.url ?? url;
        afterBuffer(video, ended.signal, () => {
          void diagnose(refused, ended.signal).then((found) => {
            // The URL may answer by now. It failed for hls.js before, so the format is not the cause.
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

/** Calls `report` after the buffered part has been played: until then the viewer notices no failure. */
function afterBuffer(video: HTMLVideoElement, stopped: AbortSignal, report: () => void) {
  const reported = new AbortController();
  const check = () => {
    const { buffered, currentTime } = video;
    for (let part = 0; part < buffered.length; part++)
      if (buffered.start(part) <= currentTime && currentTime < buffered.end(part) - 0.5) return;
    reported.abort();
    report();
  };
  stopped.addEventListener("abort", () => reported.abort(), { once: true });
  for (const event of ["timeupdate", "waiting", "seeking"])
    video.addEventListener(event, check, { signal: reported.signal });
  check();
}
