import { type SyntheticEvent, useEffect, useLayoutEffect, useRef } from "react";
import { Link, useFetcher } from "react-router";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { titlePath } from "#app/paths.ts";
import { MinusIcon, PlusIcon, StarIcon, TrashIcon } from "#app/ui/icons/icons.tsx";
import { cardFactsText } from "#app/ui/titles/card.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import type { ListItem } from "./list-item.ts";

/** Names the one form that rows tick themselves into. */
export const bulkForm = "bulk";

/** One entry, edited in place: a form whose parts save themselves with scripts, and with its button without. */
export function ListRow({ item, types }: { item: ListItem; types: readonly string[] }) {
  const { malId, name, lang } = item;
  const { Form, isGoing, shown, saving } = useRow(item);
  return (
    <li ref={useFocusHandedOn()} className="list-row" data-going={isGoing || undefined}>
      <input
        className="tick"
        type="checkbox"
        form={bulkForm}
        name={`title-${malId}`}
        aria-label={`Choose ${name}`}
      />
      <Link className="list-row-title" to={titlePath(malId, name)}>
        <Poster malId={malId} sizes="48px" />
        <span>
          <span className="list-row-name" lang={lang}>
            {name}
          </span>
          <span className="quiet">{cardFactsText({ ...item, type: item.titleType })}</span>
        </span>
      </Link>
      <Form method="post" className="list-row-form" aria-label={name} {...saving}>
        {/* What Enter presses: the first button of a form, seen or not. */}
        <button type="submit" hidden />
        <input type="hidden" name="mal_id" value={malId} />
        <TypeSelect item={item} types={types} />
        <Progress item={item} shown={shown} />
        <ScoreSelect item={item} />
        <button className="button no-script-only" data-size="small" type="submit">
          Save
        </button>
        <button
          className="icon-button"
          type="submit"
          name="intent"
          value="remove"
          aria-label={`Remove ${name} from the list`}
        >
          <TrashIcon />
        </button>
        {/* After the buttons: the first of repeated names counts, so what was pressed goes before it. */}
        <input type="hidden" name="intent" value="save" />
      </Form>
    </li>
  );
}

/** What the row shows while a change is on its way, and how its parts are saved. */
function useRow({ malId, progress }: ListItem) {
  const fetcher = useFetcher({ key: `list-${malId}` });
  const sent = fetcher.formData;
  const shown = Number(sent?.get("progress") ?? progress);
  // Only what was changed, so that the rest stays as another device may have left it; but the next change cuts off
  // one that is still on its way, and takes it along.
  const save = (part: string, value: string) =>
    void fetcher.submit(
      {
        ...Object.fromEntries((sent ?? []) as Iterable<[string, string]>),
        intent: "save",
        mal_id: malId,
        [part]: value,
      },
      { method: "post" },
    );
  // A number is meant once it is left: on the way to 12 it was 1.
  const keep = ({ target, type }: SyntheticEvent) => {
    const { name: part, value, validity } = target as HTMLInputElement;
    const isCount = part === "progress";
    if (isCount === (type === "blur") && !(isCount && (+value === shown || !validity.valid)))
      save(part, value);
  };
  const count = (event: SyntheticEvent<HTMLFormElement>) => {
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    if (pressed?.value === "remove") return;
    event.preventDefault();
    save("progress", `${Math.max(0, +event.currentTarget.progress.value + +(pressed?.value ?? 0))}`);
  };
  return {
    Form: fetcher.Form,
    isGoing: sent?.get("intent") === "remove",
    shown,
    saving: { onChange: keep, onBlur: keep, onSubmit: count },
  };
}

/** Who had the focus in a row that goes finds it in the one beside it. */
function useFocusHandedOn() {
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const going = row.current;
    return () => {
      if (!going?.contains(document.activeElement)) return;
      const next = going.nextElementSibling ?? going.previousElementSibling;
      next?.querySelector("a")?.focus();
    };
  }, []);
  return row;
}

/** A field that one may change, and that follows where the list says otherwise, without losing the focus. */
function useFollowing<Field extends { value: string }>(value: string | number) {
  const field = useRef<Field>(null);
  useEffect(() => {
    if (field.current) field.current.value = `${value}`;
  }, [value]);
  return { ref: field, defaultValue: value };
}

function TypeSelect({ item: { type, name }, types }: { item: ListItem; types: readonly string[] }) {
  return (
    <select
      className="select"
      name="type"
      {...useFollowing<HTMLSelectElement>(type)}
      aria-label={`Where ${name} stands`}
    >
      {types.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

function Progress({ item: { episodes, name }, shown }: { item: ListItem; shown: number }) {
  const atEnd = episodes !== null && shown >= episodes;
  return (
    <span className="list-row-progress">
      <button
        className="icon-button"
        type="submit"
        name="step"
        value="-1"
        disabled={shown <= 0}
        aria-label="One episode less"
      >
        <MinusIcon />
      </button>
      <input
        className="input numeric"
        type="number"
        name="progress"
        {...useFollowing<HTMLInputElement>(shown)}
        required
        min={0}
        max={episodes ?? maxEpisodeNumber}
        aria-label={`Episodes of ${name} seen`}
      />
      <span className="quiet numeric">/ {episodes ?? "?"}</span>
      <button
        className="icon-button"
        type="submit"
        name="step"
        value="1"
        disabled={atEnd}
        aria-label="One episode more"
      >
        <PlusIcon />
      </button>
    </span>
  );
}

const wholeScores = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

function ScoreSelect({ item: { score, name } }: { item: ListItem }) {
  const scores = score === null || wholeScores.includes(score) ? wholeScores : [score, ...wholeScores];
  return (
    <span className="list-row-score">
      <StarIcon />
      <select
        className="select"
        name="score"
        {...useFollowing<HTMLSelectElement>(score ?? "")}
        aria-label={`My score for ${name}`}
      >
        <option value="">–</option>
        {scores.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </span>
  );
}
