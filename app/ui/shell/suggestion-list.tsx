import { useEffect, useRef } from "react";
import { HistoryIcon, SearchIcon } from "../icons/icons.tsx";
import { usePosterPath } from "../titles/poster-path.ts";
import type { SuggestionBox } from "./suggestion-box.ts";
import type { SearchSuggestion } from "./suggestions.ts";

/** The open list. Pressing it must not move the focus out of the field, or the list would close before the click. */
export function SuggestionList({ id, box }: { id: string; box: SuggestionBox }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[box.active]?.scrollIntoView({ block: "nearest" });
  }, [box.active]);
  return (
    <div ref={list} className="suggestions" role="listbox" id={`${id}list`} aria-label="Suggestions">
      {box.options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, as in every combobox
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field
        <div
          key={option.to + option.kind}
          id={`${id}option${index}`}
          className="suggestion"
          role="option"
          aria-selected={index === box.active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => box.go(option)}
        >
          <Option option={option} />
        </div>
      ))}
    </div>
  );
}

function Option({ option }: { option: SearchSuggestion }) {
  if (option.kind === "title" || option.kind === "name")
    return (
      <>
        {option.kind === "title" ? (
          <SmallPoster malId={option.malId} drawnIn={option.drawnIn} />
        ) : (
          <SearchIcon />
        )}
        <span className="suggestion-name" lang={option.lang}>
          {option.name}
        </span>
        <span className="suggestion-note">{option.note}</span>
      </>
    );
  return (
    <>
      {option.kind === "recent" ? <HistoryIcon /> : <SearchIcon />}
      <span className="suggestion-name">
        {option.kind === "recent" ? option.name : `All results for “${option.name}”`}
      </span>
    </>
  );
}

const SmallPoster = ({ malId, drawnIn }: { malId: number; drawnIn: "en" | undefined }) => (
  <img src={usePosterPath(malId, drawnIn)(160)} width={36} height={51} alt="" />
);
