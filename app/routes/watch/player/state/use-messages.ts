import { useCallback, useEffect, useState } from "react";

const shownForMs = 1000;

/** The player's messages about keys and taps, for screen readers and for a moment over the film. */
export function useMessages() {
  const [spoken, setSpoken] = useState("");
  const [shown, setShown] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), shownForMs);
    return () => clearTimeout(timer);
  }, [shown]);
  // A new object each time, so that a repeated text stays a moment longer.
  const show = useCallback((text: string) => setShown({ text }), []);
  const announce = useCallback(
    (text: string) => {
      setSpoken(text);
      show(text);
    },
    [show],
  );
  return { spoken, speak: setSpoken, announce, shown: shown?.text ?? null, show };
}
