import { followNativeSounds, followRenditions } from "../tracks/sounds.ts";
import type { SoundTrack } from "../tracks/track-choice.ts";
import { addressesToTry, decodesHere, undecodableText, unreadableText, urlForCodec } from "./decoding.ts";
import { beginsInMiddle, earlyParts, loadEarly, sourcesOfPage, wishOfPage } from "./early-parts.ts";
import { withFilmTimes } from "./film-times.ts";
import { loadersForFirstFrame, loadFirstFrame } from "./first-frame.ts";
import { createFailure, diagnose, findFailure, mayPass, type PlayFailure } from "./play-failure.ts";
import { type Ability, canPlay, mimeType, type PlayerSource, startWithin } from "./playback.ts";

/** Attaches a source to a video element: through hls.js for HLS where the browser allows it, else directly. */

export type Quality = { index: number; height: number };
export type Engine = {
  /** An index of the qualities, or null for automatic. */
  choose(quality: number | null): void;
  /** The key of a sound track. */
  chooseSound(key: string): void;
  end(): void;
};
type Callbacks = {
  onQualities(qualities: Quality[]): void;
  /** The sound tracks, and the key of the one that plays. */
  onSounds(sounds: readonly SoundTrack[], playing: string | null): void;
  /** The key of the sound track to begin with. Null: the film's own choice. */
  firstSound(sounds: readonly SoundTrack[]): string | null;
  onFailure(failure: PlayFailure): void;
  /** The film is not prepared yet, for this reason. The engine goes on asking. */
  onWaiting(reason: PlayFailure): void;
  /** The site has prepared the film, so the page can get its tracks. */
  onPrepared(): void;
};

const commonCodecs = 'video/mp4; codecs="avc1.42E01E,mp4a.40.2"';

export const detectAbility = (video: HTMLVideoElement): Ability => ({
  feedsHls: feedsMedia() && MediaSource.isTypeSupported(commonCodecs),
  playsHls: video.canPlayType("application/vnd.apple.mpegurl") !== "",
  canPlayFile: (type) => video.canPlayType(type) !== "",
  decodes: decodesHere,
});

type Hls = import("hls.js").default;
const loadHls = () => import("hls.js");
const feedsMedia = () => typeof MediaSource !== "undefined";
// If the page came with a stream, loads hls.js and the beginning of the film while React takes control of the page.
if (
  typeof document !== "undefined" &&
  feedsMedia() &&
  document.querySelector(`source[type="${mimeType({ type: "hls" })}"]`)
) {
  loadHls().catch(() => {});
  const ability = detectAbility(document.createElement("video"));
  loadEarly(earlyParts(sourcesOfPage(), ability, { inMiddle: beginsInMiddle(), wish: wishOfPage() }));
}

const nothing: Engine = { choose: () => {}, chooseSound: () => {}, end: () => {} };

/** A film that starts before this time starts at its beginning. */
export const minStartSeconds = 0.5;

/** `way`: how many ways of playing this source the browser has refused. */
type AttachedSource = { source: PlayerSource; way: number };

const addressesOf = ({ type, url, holds }: PlayerSource): string[] =>
  type === "hls" && holds ? addressesToTry(url, holds, decodesHere) : [url];

/** In how many ways this browser can try to play the source. */
export const countWays = (source: PlayerSource): number => addressesOf(source).length;

export function attach(
  video: HTMLVideoElement,
  { source, way }: AttachedSource,
  startAt: number,
  given: Callbacks,
): Engine {
  const ability = detectAbility(video);
  const callbacks: Callbacks = {
    ...given,
    onFailure(failure) {
      const isOfFile = failure.reason === "unsupported" || failure.reason === "offline";
      const text = isOfFile ? unreadableText(source.holds) : null;
      given.onFailure(text === null ? failure : { reason: "unsupported", text });
    },
  };
  empty(video);
  callbacks.onQualities([]);
  callbacks.onSounds([], null);
  // Some browsers would wait for a key.
  if (source.holds?.unreadable === "encrypted") {
    callbacks.onFailure(createFailure("unsupported"));
    return nothing;
  }
  if (!canPlay(source, ability)) {
    const text = source.holds && undecodableText(source.holds, ability.decodes);
    callbacks.onFailure({ ...createFailure("unsupported"), ...(text && { text }) });
    return nothing;
  }
  if (source.holds?.isUnprepared) return waitForPreparation(source, callbacks);
  return source.type === "hls" && ability.feedsHls
    ? attachWithHls(video, { source, way }, startAt, callbacks)
    : attachDirectly(video, source, callbacks);
}

/**
 * Removes the current film. A video element without a film still plays the next one it gets, if it was told to play.
 * Replacing one film directly by another would lose that.
 */
function empty(video: HTMLVideoElement) {
  for (const child of video.querySelectorAll("source")) child.remove();
  video.removeAttribute("src");
  video.load();
  video.preload = "metadata";
}

/** How often the player asks how far the preparation of a film is. */
const askAgainMs = 2500;

/** Asks again and again how far the preparation is, which makes the site begin it. */
function waitForPreparation({ url }: PlayerSource, { onPrepared, onWaiting, onFailure }: Callbacks): Engine {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    const failure = await findFailure(url, ended.signal);
    if (ended.signal.aborted) return;
    if (!failure) return onPrepared();
    if (!mayPass(failure)) return onFailure(failure);
    onWaiting(failure);
    timer = setTimeout(ask, askAgainMs);
  };
  void ask();
  return {
    ...nothing,
    end() {
      ended.abort();
      clearTimeout(timer);
    },
  };
}

const brokenOffText = "The rest of this video cannot be played: its file is damaged or incomplete.";

/** Plays a file, or a stream that the browser plays without hls.js. */
function attachDirectly(
  video: HTMLVideoElement,
  source: PlayerSource,
  { onSounds, onFailure }: Callbacks,
): Engine {
  const { url } = source;
  const stopped = new AbortController();
  const onError = () => {
    const isNetworkError = video.error?.code === MediaError.MEDIA_ERR_NETWORK;
    void diagnose(url, stopped.signal).then((found) => {
      // After a network error the format is not the cause: the URL only answers again by now.
      const isBack = isNetworkError && found.reason === "unsupported";
      if (stopped.signal.aborted) return;
      if (isBack) onFailure(createFailure("offline"));
      else onFailure(found.reason === "unsupported" && hasBegun ? { ...found, text: brokenOffText } : found);
    });
  };
  let hasBegun = false;
  video.addEventListener(
    "timeupdate",
    () => {
      hasBegun ||= video.currentTime > 0;
    },
    { signal: stopped.signal },
  );
  video.addEventListener("error", onError, { signal: stopped.signal });
  const chooseSound = followNativeSounds(video, onSounds, stopped.signal);
  video.src = url;
  return {
    choose: () => {},
    chooseSound,
    end() {
      stopped.abort();
      empty(video);
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
  { source, way }: AttachedSource,
  startAt: number,
  { onQualities, onSounds, firstSound, onFailure }: Callbacks,
): Engine {
  let player: Hls | undefined;
  let wanted: number | null = null;
  const ended = new AbortController();
  const url = addressesOf(source)[way] ?? source.url;
  void loadHls().then(
    ({ default: Hls }) => {
      if (ended.signal.aborted) return;
      const loaders = loadersForFirstFrame(Hls);
      const hls = new Hls({
        fragLoadPolicy: loadPolicy,
        playlistLoadPolicy: loadPolicy,
        manifestLoadPolicy: loadPolicy,
        backBufferLength: 60,
        ...loaders,
        ...(source.holds && { streamController: withFilmTimes(Hls, loaders.streamController) }),
        // Loads the film at once. By default, hls.js begins some time after it has the video element.
        startFragPrefetch: true,
        // By default, hls.js would first load the beginning of the film. -1 is where the stream begins.
        startPosition: startAt > minStartSeconds ? startAt : -1,
      });
      player = hls;
      hls.on(Hls.Events.MANIFEST_PARSED, () => {
        onQualities(hls.levels.map(({ height }, index) => ({ index, height })));
        hls.nextLevel = wanted ?? -1;
      });
      followRenditions(hls, Hls, onSounds, (sounds) => beginWith(hls, source, firstSound(sounds)));
      followErrors(hls, Hls, { video, url, ended: ended.signal, onFailure });
      hls.once(Hls.Events.LEVEL_LOADED, (_, { details: { live, totalduration } }) => {
        // From a start time at the end, hls.js would wait without end for segments that do not exist.
        if (!live && startWithin(startAt, totalduration) !== startAt) hls.startLoad(0);
      });
      loadFirstFrame(hls, Hls, { video, startAt, ended: ended.signal });
      hls.loadSource(url);
      const { paused } = video;
      hls.attachMedia(video);
      // If the viewer pressed play just before, the new source has paused the element again.
      if (!paused) void video.play().catch(() => {});
    },
    () => onFailure(createFailure("offline")),
  );
  return {
    choose(quality) {
      wanted = quality;
      if (player) player.nextLevel = quality ?? -1;
    },
    chooseSound(key) {
      if (player) chooseRendition(video, player, source, Number(key));
    },
    end() {
      ended.abort();
      player?.destroy();
    },
  };
}

type ErrorContext = {
  video: HTMLVideoElement;
  url: string;
  ended: AbortSignal;
  onFailure: Callbacks["onFailure"];
};

const maxRecoveries = 2;
/** How often in a row playback continues by itself after an address has failed and answers again. */
const maxReturns = 3;

function followErrors(
  player: Hls,
  { Events, ErrorTypes }: typeof import("hls.js").default,
  { video, url, ended, onFailure }: ErrorContext,
) {
  let recoveries = 0;
  let returns = 0;
  player.on(Events.FRAG_BUFFERED, () => {
    returns = 0;
  });
  player.on(Events.ERROR, (_, { fatal, type, frag, context }) => {
    if (!fatal) return;
    if (type === ErrorTypes.MEDIA_ERROR && recoveries++ < maxRecoveries) return player.recoverMediaError();
    player.stopLoad();
    if (type === ErrorTypes.MEDIA_ERROR) return onFailure(createFailure("unsupported"));
    const refused = frag?.url ?? context?.url ?? url;
    afterBuffer(video, ended, () => {
      void diagnose(refused, ended).then((found) => {
        if (ended.aborted) return;
        // hls.js could not load the address before. If it answers now, it is back, and the format is not the cause.
        const isBack = found.reason === "unsupported";
        if (isBack && returns++ < maxReturns) return goOn(player, url);
        onFailure(isBack ? createFailure("offline") : found);
      });
    });
  });
}

function goOn(player: Hls, url: string) {
  if (player.levels.length > 0) player.startLoad();
  else player.loadSource(url);
}

/**
 * Chooses the first sound track early. A change while hls.js loads the first part of another track could keep it from
 * ever loading the chosen one. A track with another codec is not chosen here: changing to it later is safe, because it
 * loads another address.
 */
function beginWith(player: Hls, { holds }: PlayerSource, key: string | null) {
  const { audioTracks, url } = player;
  const chosen = audioTracks[Number(key ?? Number.NaN)];
  const defaultTrack = audioTracks.find((one) => one.default) ?? audioTracks[0];
  if (chosen && !(url && holds && urlForCodec(url, holds, defaultTrack?.url, chosen.url)))
    player.audioTrack = audioTracks.indexOf(chosen);
}

/**
 * Changes the sound track. For a track that hls.js cannot change to, loads the address that begins with the track and
 * plays on from the same time.
 */
function chooseRendition(video: HTMLVideoElement, player: Hls, { holds }: PlayerSource, index: number) {
  const { audioTracks, audioTrack, url } = player;
  const chosen = audioTracks[index];
  // While hls.js loads a film again, it has no tracks.
  if (!chosen || index === audioTrack) return;
  const other = url && holds && urlForCodec(url, holds, audioTracks[audioTrack]?.url, chosen.url);
  if (!other) {
    player.audioTrack = index;
    return;
  }
  const { currentTime, paused, playbackRate } = video;
  player.config.startPosition = currentTime;
  player.loadSource(other);
  video.playbackRate = playbackRate;
  if (!paused) void video.play().catch(() => {});
}

/** Calls `report` once the buffered part has been played. The viewer notices no failure before that. */
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
