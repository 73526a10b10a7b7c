import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { recentSearches, rememberSearch } from "./recent-searches.ts";
import { useSite } from "./site.ts";
import { titlePath } from "./title.ts";

/** As `/api/animes/suggest` answers. */
type Suggested = { mal_id: number; title: string; matched: string; type: string | null; year: number | null };

export type Suggestion =
  | { kind: "title"; malId: number; name: string; note: string; to: string }
  | { kind: "recent" | "all"; name: string; to: string };

const typingPauseMs = 140;

const searchPath = (query: string) => `/search?q=${encodeURIComponent(query)}`;

const noteOf = ({ title, matched, type, year }: Suggested) =>
  [matched !== title && matched, type, year].filter(Boolean).join(" · ");

async function fetchSuggestions(query: string, isFiltered: boolean, signal: AbortSignal) {
  const url = `/api/animes/suggest?q=${encodeURIComponent(query)}${isFiltered ? "" : "&parental_control=false"}`;
  const response = await fetch(url, { signal });
  if (!response.ok) return [];
  const { data } = (await response.json()) as { data: Suggested[] };
  return data.map(
    (item): Suggestion => ({
      kind: "title",
      malId: item.mal_id,
      name: item.title,
      note: noteOf(item),
      to: titlePath(item.mal_id, item.title),
    }),
  );
}

/** Everything the search field does beyond being a field. */
export function useSuggestions(initial: string) {
  const { preferences } = useSite();
  const navigate = useNavigate();
  const [text, setText] = useState(initial);
  const [found, setFound] = useState<Suggestion[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const known = useRef(initial);
  if (known.current !== initial) {
    known.current = initial;
    setText(initial);
  }
  const query = text.trim();

  useEffect(() => {
    if (!isOpen) return;
    const abort = new AbortController();
    const timer = setTimeout(
      async () => {
        const none = query === "" ? recentSearches() : [];
        const next =
          query === ""
            ? none.map((name): Suggestion => ({ kind: "recent", name, to: searchPath(name) }))
            : [
                ...(await fetchSuggestions(query, preferences.parentalControl, abort.signal).catch(() => [])),
                { kind: "all", name: query, to: searchPath(query) } as const,
              ];
        if (abort.signal.aborted) return;
        setFound(next);
        setActive(-1);
      },
      query === "" ? 0 : typingPauseMs,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, isOpen, preferences.parentalControl]);

  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const go = (option: Suggestion) => {
    close();
    if (option.kind !== "title") rememberSearch(option.name, preferences.trackSearchHistory);
    setText(option.kind === "title" ? "" : option.name);
    navigate(option.to);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[active];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      // One place more than there are options: the field itself.
      if (isOpen) setActive((at) => ((at + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    } else if (event.key === "Enter" && isOpen && chosen !== undefined) {
      event.preventDefault();
      go(chosen);
    } else if (event.key === "Escape") {
      if (isOpen) event.preventDefault();
      else setText("");
      close();
    }
  };

  return {
    options: found,
    isOpen: isOpen && found.length > 0,
    active,
    go,
    field: {
      value: text,
      onChange: (event: { currentTarget: HTMLInputElement }) => {
        setText(event.currentTarget.value);
        setOpen(true);
      },
      onFocus: () => setOpen(true),
      onBlur: close,
      onKeyDown,
    },
    onSubmit: (event: FormEvent) => {
      if (query === "") event.preventDefault();
      else rememberSearch(query, preferences.trackSearchHistory);
      close();
    },
  };
}

export type SuggestionBox = ReturnType<typeof useSuggestions>;
