import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { SkipSegment } from "#app/domain/catalog/catalog.ts";
import { isArrowModeOn } from "#app/ui/arrow-keys/arrow-mode.ts";
import { usePosterPath } from "#app/ui/titles/poster-path.ts";
import { ControlBar } from "./control-bar.tsx";
import { FilmSurface, JumpButtons } from "./film-surface.tsx";
import { focusPlayThen } from "./focus-play.ts";
import { ComingNext, NextEpisode } from "./next-episode.tsx";
import { Failure, KeyOverview } from "./overlays.tsx";
import { PlayerSettings } from "./player-settings.tsx";
import { mimeType, segmentAt, skipLabel, startOfMember } from "./state/playback.ts";
import { useIdle } from "./state/use-idle.ts";
import { type Elements, type PlayerProps, usePlayer } from "./state/use-player.ts";
import { useLiftedCaptions } from "./tracks/lifted-captions.ts";
import { useTouches } from "./untouched.ts";

/** A video element with the browser's controls. The player's own controls replace them once scripts run. */
export function Player(props: PlayerProps) {
  const { malId, episode, isMember, resumePoint, still, name, trackChoice } = props;
  const sources = useUnchanged(props.sources);
  const subtitles = useUnchanged(props.subtitles);
  const bitmaps = useUnchanged(props.bitmaps);
  const trackSettings = useUnchanged(props.trackSettings);
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLElement>(null);
  const posterOf = usePosterPath(malId);
  const [isHydrated, setHydrated] = useState(false);
  // A layout effect. An ordinary effect waits for the browser to paint, and the film would begin later.
  useLayoutEffect(() => setHydrated(true), []);
  return (
    <section ref={frame} className="player" aria-label={`Player: ${name}`}>
      {/* The poster is upright: blurred, it fills the frame until the film begins. */}
      {still === null && <img className="player-backdrop" src={posterOf(160)} alt="" />}
      {/* biome-ignore lint/a11y/useMediaCaption: an episode has the captions that its operator registered */}
      <video
        key={`${malId}/${episode}`}
        ref={video}
        className="player-film"
        controls={!isHydrated}
        // No preload for a stream: Chromium would load it, and hls.js would then load it again.
        preload={sources[0]?.type === "hls" ? "none" : "metadata"}
        playsInline
        poster={still ?? undefined}
        data-title={malId}
        data-episode={episode}
        data-start={isMember ? (startOfMember(resumePoint) ?? 0) : undefined}
        data-language={trackSettings.soundLanguage}
        data-sound={trackChoice?.sound ?? undefined}
        aria-label={name}
      >
        {!isHydrated &&
          sources.map((source) => (
            <source
              key={source.url}
              src={source.url}
              type={mimeType(source)}
              data-holds={source.holds && JSON.stringify(source.holds)}
            />
          ))}
        {subtitles.map(({ url, language, label }) => (
          <track key={url} kind="captions" src={url} srcLang={language} label={label ?? language} />
        ))}
        {/* Without a file, because the site's own player draws the pictures. The browser's menu lists the tracks too. */}
        {isHydrated &&
          bitmaps.map(({ url, language, label }) => (
            <track key={url} kind="captions" data-bitmaps={url} srcLang={language} label={label} />
          ))}
      </video>
      {/* Differs from the video's key: with two equal keys, React would keep the previous video element on the page. */}
      {isHydrated && (
        <Controls
          key={`controls of ${malId}/${episode}`}
          {...props}
          sources={sources}
          subtitles={subtitles}
          bitmaps={bitmaps}
          trackSettings={trackSettings}
          video={video}
          frame={frame}
        />
      )}
    </section>
  );
}

/**
 * The same value as before while its content is the same. The page can be loaded again while the film plays. A new array
 * would attach the film again, and new settings would choose the tracks again.
 */
function useUnchanged<Value>(value: Value): Value {
  const kept = useRef(value);
  if (JSON.stringify(value) !== JSON.stringify(kept.current)) kept.current = value;
  return kept.current;
}

type ControlsProps = PlayerProps & Elements;

/** The state of the film as data attributes, for the styles. */
const stateOf = ({ paused, time }: { paused: boolean; time: number }, isIdle: boolean) => ({
  "data-idle": isIdle || undefined,
  "data-begun": !paused || time > 0 || undefined,
});

function Controls({ video, frame, ...props }: ControlsProps) {
  const { series, name, skip, chapters, undrawable, previous, next, playsNext, endCard, onGo } = props;
  const player = usePlayer({ video, frame }, props);
  const { playing, choice, commands, tracks, memory, changeLook, speak } = player;
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const isIdle = useIdle(frame, !playing.paused && !isSettingsOpen && choice.failure === null);
  useLiftedCaptions(video, !isIdle, tracks);
  useTouches();
  const isOver = playing.ended && next === null;
  useEffect(() => {
    if (isOver) speak("The episode is over");
  }, [isOver, speak]);
  const onKeyDown = ({ key, currentTarget: controls }: KeyboardEvent<HTMLElement>) => {
    if (key !== "Escape" || !isSettingsOpen) return;
    setSettingsOpen(false);
    // A focused field of the settings disappears, so the button that opened them takes the focus.
    if (controls.querySelector(".player-settings")?.contains(document.activeElement))
      controls.querySelector<HTMLElement>("[aria-expanded]")?.focus();
  };
  // Arrow keys lead out of the settings. Left open, the settings would cover the film.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    const isOutside = relatedTarget?.closest(".player-settings, .player-button[aria-expanded]") === null;
    if (isSettingsOpen && isOutside && isArrowModeOn()) setSettingsOpen(false);
  };
  return (
    <div className="player-over" {...stateOf(playing, isIdle)}>
      <FilmSurface isIdle={isIdle} run={commands.runShown} />
      {choice.failure === null && !playing.ended && <JumpButtons run={commands.runShown} />}
      {playing.waiting && choice.failure === null && (
        <span className="player-waiting" role="status">
          Loading…
        </span>
      )}
      {!isSettingsOpen && choice.failure === null && (
        <SkipButton skip={skip} time={playing.time} isIdle={isIdle} onSkip={() => commands.run("skip")} />
      )}
      {player.shown !== null && (
        <span className="player-shown" aria-hidden="true">
          {player.shown}
        </span>
      )}
      {next && !playing.ended && !isSettingsOpen && choice.failure === null && (
        <ComingNext next={next} skip={skip} time={playing.time} onGo={() => onGo(next.href)} />
      )}
      {choice.failure && <Failure failure={choice.failure} choice={choice} name={`${series} - ${name}`} />}
      {playing.ended && next && (
        <NextEpisode next={next} playsNext={playsNext} onGo={() => onGo(next.href)} onShown={speak} />
      )}
      {playing.ended && !next && endCard}
      {player.isOverviewOpen && <KeyOverview onClose={() => player.setOverviewOpen(false)} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the settings */}
      <div className="player-controls" onKeyDown={onKeyDown} onBlur={onBlur}>
        {isSettingsOpen && (
          <PlayerSettings
            choice={choice}
            tracks={tracks}
            undrawable={undrawable}
            isSilent={playing.muted || playing.volume === 0}
            onMute={() => commands.run("mute")}
            speed={playing.speed}
            onSpeed={commands.setSpeed}
            onCaptions={commands.setCaptions}
            look={memory}
            onLook={changeLook}
          />
        )}
        <ControlBar
          playing={playing}
          commands={commands}
          chapters={chapters}
          isSettingsOpen={isSettingsOpen}
          previous={previous}
          next={next}
          captions={tracks.captions}
          onSettings={() => setSettingsOpen(!isSettingsOpen)}
        />
      </div>
      <p className="visually-hidden" role="status">
        {player.spoken}
      </p>
    </div>
  );
}

type SkipProps = { skip: readonly SkipSegment[]; time: number; isIdle: boolean; onSkip(): void };

const skipShownForMs = 8000;

/** Appears on its own when a segment begins. After a while it shows only together with the other controls. */
function SkipButton({ skip, time, isIdle, onSkip }: SkipProps) {
  const segment = segmentAt(skip, time);
  const [isFresh, setFresh] = useState(false);
  useEffect(() => {
    if (!segment) return;
    setFresh(true);
    const timer = setTimeout(() => setFresh(false), skipShownForMs);
    return () => clearTimeout(timer);
  }, [segment]);
  if (!segment || (isIdle && !isFresh)) return null;
  return (
    <button type="button" className="button player-skip" onClick={focusPlayThen(onSkip)}>
      {skipLabel(segment)}
    </button>
  );
}
