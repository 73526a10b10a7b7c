import { type FormEvent, type RefObject, Suspense, useEffect, useId, useRef } from "react";
import { Form, useLocation } from "react-router";
import { searchPath } from "#app/paths.ts";
import { SearchIcon } from "../icons/icons.tsx";
import { late } from "../late.tsx";
import { hasSingleKeys, isFocusOnNothing } from "./single-keys.ts";
import { type SuggestionBox, useSuggestionBox } from "./suggestion-box.ts";

/** Loaded when the field is first used. */
const loadList = () => import("./suggestion-list.tsx").then((part) => part.SuggestionList);
const SuggestionList = late(loadList);

type Props = { isLarge?: boolean };

/** A plain GET form with suggestions: the ARIA combobox pattern, in which the field keeps the focus. */
export function SearchBox({ isLarge = false }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { pathname, search } = useLocation();
  const query = pathname === searchPath() ? (new URLSearchParams(search).get("q") ?? "") : "";
  const box = useSuggestionBox(query);
  useSlashKey(field, !isLarge);
  // Takes over text that was typed before the scripts had loaded. React leaves it in the field, but its own state is
  // empty: Enter would not search, and the next render would delete the text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the text from before the first render counts
  useEffect(() => {
    if (field.current && field.current.value !== box.text) box.setText(field.current.value);
  }, []);
  return (
    <search className="searchbox">
      <Form action={searchPath()} className="searchbox-field" onSubmit={(event) => submit(event, box)}>
        <SearchIcon />
        <input
          ref={field}
          className="input"
          type="search"
          name="q"
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="Search titles"
          aria-label="Search titles"
          role="combobox"
          aria-expanded={box.isOpen}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={box.isOpen && box.active >= 0 ? `${id}option${box.active}` : undefined}
          value={box.text}
          onChange={(event) => {
            box.setText(event.currentTarget.value);
            box.setOpen(true);
          }}
          onFocus={() => {
            loadList().catch(() => {});
            box.setOpen(true);
          }}
          onBlur={() => box.setOpen(false)}
          onKeyDown={box.onKeyDown}
        />
        {!isLarge && (
          <span className="searchbox-key script-only" aria-hidden="true">
            /
          </span>
        )}
      </Form>
      {box.isOpen && (
        <Suspense>
          <SuggestionList id={id} box={box} />
        </Suspense>
      )}
      <p className="visually-hidden" role="status">
        {box.isOpen && (box.options.length === 1 ? "1 suggestion" : `${box.options.length} suggestions`)}
      </p>
    </search>
  );
}

function submit(event: FormEvent, box: SuggestionBox) {
  if (box.query === "") event.preventDefault();
  else box.keep();
  box.setOpen(false);
}

/** `/` moves the focus to the search field if nothing else has the focus. */
function useSlashKey(field: RefObject<HTMLInputElement | null>, isOn: boolean) {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!isFocusOnNothing() || !hasSingleKeys()) return;
      event.preventDefault();
      field.current?.select();
      field.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [field, isOn]);
}
