import { useEffect, useState } from "react";

type Props = { words: string | null; onUndo: () => void };

const shownMs = 8000;

/** Says what has just happened and offers to take it back. */
export function Toast({ words, onUndo }: Props) {
  const [gone, setGone] = useState<string | null>(null);
  const isShown = words !== null && words !== gone;
  useEffect(() => {
    if (words === null) return setGone(null);
    const timer = setTimeout(() => setGone(words), shownMs);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <div role="status">
      {isShown && (
        <div className="toast">
          {words}
          <button
            className="button"
            data-size="small"
            type="button"
            onClick={() => {
              setGone(words);
              onUndo();
            }}
          >
            Undo
          </button>
        </div>
      )}
    </div>
  );
}
