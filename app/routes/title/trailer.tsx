import { useState } from "react";
import { ExternalIcon, PlayIcon } from "#app/ui/icons/icons.tsx";

type Props = { youtubeId: string; name: string };

const focusOn = (frame: HTMLIFrameElement | null) => frame?.focus();

/** Loads YouTube's player only after a click. Otherwise YouTube would learn of every visit to the page. */
export function Trailer({ youtubeId, name }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return (
      <div className="trailer">
        <iframe
          ref={focusOn}
          src={`https://www.youtube-nocookie.com/embed/${youtubeId}?autoplay=1`}
          title={`Trailer of ${name}`}
          allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
          allowFullScreen
        />
      </div>
    );
  return (
    <a
      className="trailer-open"
      href={`https://www.youtube.com/watch?v=${youtubeId}`}
      rel="noreferrer"
      onClick={(event) => {
        // The browser opens another tab or window.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        setOpen(true);
      }}
    >
      <span className="card-play">
        <PlayIcon />
      </span>
      <span>
        Play the trailer
        <span className="quiet">
          Loads from YouTube <ExternalIcon />
        </span>
      </span>
    </a>
  );
}
