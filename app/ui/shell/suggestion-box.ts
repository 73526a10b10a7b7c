import { type KeyboardEvent, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { keepSearch } from "./recent-searches.ts";
import { useSiteData } from "./site.ts";
import type { SearchSuggestion } from "./suggestions.ts";

const typingPauseMs = 140;

/** The options of the open list. Their code is loaded on the first use of the field, not with the page. */
function useSuggestions(query: string, isOpen: boolean): SearchSuggestion[] {
  const { user, preferences } = useSiteData();
  const isMember = user !== null;
  const key = `${preferences.titleLanguage} ${preferences.parentalControl}`;
  const [found, setFound] = useState<SearchSuggestion[]>([]);
  useEffect(() => {
    if (!isOpen) return;
    const abort = new AbortController();
    const ask = async () => {
      const suggestions = await import("./suggestions.ts");
      const next = await suggestions.findSuggestions(query, { isMember, key }, abort.signal);
      if (!abort.signal.aborted) setFound(next);
    };
    // If no suggestions can be loaded, the field works as a plain form.
    const timer = setTimeout(() => ask().catch(() => {}), query === "" ? 0 : typingPauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, isOpen, key, isMember]);
  return found;
}

/** The state and the keys of the search field's suggestions. */
export function useSuggestionBox(initial: string) {
  const { user, preferences } = useSiteData();
  const mayKeep = user === null && preferences.trackSearchHistory;
  const navigate = useNavigate();
  const [shown, setShown] = useState({ initial, text: initial });
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  // The page now shows another search, so the field takes over its text. Typing opens the list: while it is open, text
  // that was typed since the search stays.
  const isTyped = isOpen && shown.text !== shown.initial;
  if (shown.initial !== initial) setShown({ initial, text: isTyped ? shown.text : initial });
  const query = shown.text.trim();
  const options = useSuggestions(query, isOpen);
  const setText = (text: string) => {
    setShown({ initial, text });
    setActive(-1);
  };
  const setOpenState = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    setActive(-1);
  };
  const go = (option: SearchSuggestion) => {
    setOpenState(false);
    const isSearch = option.kind === "recent" || option.kind === "all";
    if (isSearch) keepSearch(option.name, mayKeep);
    setText(isSearch ? option.name : "");
    navigate(option.to);
  };
  const move = (event: KeyboardEvent, step: number) => {
    event.preventDefault();
    // The arrow keys go through all options and the field itself, so there is one position more than options.
    const positions = options.length + 1;
    if (isOpen) setActive((at) => ((at + 1 + step + positions) % positions) - 1);
    else setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = isOpen ? options[active] : undefined;
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") move(event, 1);
    else if (event.key === "ArrowUp") move(event, -1);
    else if (event.key === "Enter" && chosen !== undefined) {
      event.preventDefault();
      go(chosen);
    } else if (event.key === "Escape") {
      if (isOpen) event.preventDefault();
      else setText("");
      setOpenState(false);
    }
  };
  return {
    text: shown.text,
    query,
    options,
    isOpen: isOpen && options.length > 0,
    active,
    go,
    setText,
    setOpen: setOpenState,
    onKeyDown,
    keep: () => keepSearch(query, mayKeep),
  };
}

export type SuggestionBox = ReturnType<typeof useSuggestionBox>;
