import { useEffect, useRef } from "react";
import { externalPlayerPath, filmPath } from "#app/paths.ts";
import { CloseIcon } from "#app/ui/icons/icons.tsx";
import { focusPlayThen } from "./focus-play.ts";
import { decodesHere, undecodableText } from "./state/decoding.ts";
import type { PlayFailure } from "./state/play-failure.ts";
import { sourceLabel } from "./state/playback.ts";
import { jumpLine, keyLines } from "./state/player-keys.ts";
import type { SourceChoice } from "./state/use-source.ts";

/** The overlays of the film: the error message and the list of keys. */

type FailureProps = { failure: PlayFailure; choice: SourceChoice; name: string };

export function Failure({ failure, choice, name }: FailureProps) {
  const following = choice.sources.length > 1 ? (choice.chosen + 1) % choice.sources.length : null;
  const holds = following === null ? undefined : choice.sources[following]?.holds;
  // The next source is not offered if this browser cannot decode it. It can be the film's own file, with the tracks
  // that do not play.
  const other = holds && undecodableText(holds, decodesHere) !== null ? null : following;
  const otherSource = other === null ? undefined : choice.sources[other];
  const files = choice.sources.filter(
    ({ type, holds, extension }) => type !== "hls" && (holds !== undefined || extension !== undefined),
  );
  const file = files.find((one) => one === choice.sources[choice.chosen]) ?? files[0];
  const isConverting = failure.reason === "converting";
  return (
    <div className="player-note player-failure" role={isConverting ? undefined : "alert"}>
      {/* The text changes every few seconds, so a screen reader only announces the title. */}
      <p className="player-note-title" role={isConverting ? "status" : undefined}>
        {isConverting ? "This episode is being converted" : "This episode does not play"}
      </p>
      <p>{failure.text}</p>
      <p className="player-note-buttons">
        {!isConverting && (
          <button type="button" className="button" onClick={focusPlayThen(choice.retry)}>
            Try again
          </button>
        )}
        {other !== null && otherSource && (
          <button
            type="button"
            className="button"
            data-kind="primary"
            onClick={focusPlayThen(() => choice.choose(other))}
          >
            Try {sourceLabel(otherSource, other)}
          </button>
        )}
        {file && (
          <>
            <a className="button" href={file.url} download={`${name}.${extensionOf(file)}`}>
              Get the file
            </a>
            <a className="button" href={playlistUrl(file.url, name)} download={`${name}.m3u`}>
              Open in a player (.m3u)
            </a>
          </>
        )}
      </p>
    </div>
  );
}

const extensionOf = ({ type, holds, extension }: SourceChoice["sources"][number]) =>
  extension ??
  holds?.closedContainer?.extension ??
  (holds?.isMatroska ? "mkv" : type === "webm" ? "webm" : "mp4");

/**
 * The address of a playlist that opens the film in a player on the viewer's machine. That player has no session, so the
 * site signs the address of a film in MEDIA_DIR.
 */
function playlistUrl(url: string, name: string) {
  const filmId = filmIdOf(url);
  return filmId === null ? dataUrl(url, name) : externalPlayerPath(filmId, name);
}

const filmIdOf = (url: string) => (url.startsWith(filmPath("")) && /[\da-f-]{36}$/.exec(url)?.[0]) || null;

const dataUrl = (url: string, name: string) =>
  `data:audio/x-mpegurl;charset=utf-8,${encodeURIComponent(`#EXTM3U\n#EXTINF:-1,${name}\n${new URL(url, location.href)}\n`)}`;

export function KeyOverview({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="player-keys" aria-label="Keys" onClose={onClose}>
      <button
        type="button"
        className="icon-button"
        aria-label="Close"
        onClick={() => dialog.current?.close()}
      >
        <CloseIcon />
      </button>
      <h2>Keys</h2>
      <dl>
        {[...keyLines, jumpLine].map(({ shown, does }) => (
          <div key={shown}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
