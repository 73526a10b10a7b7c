import type { SyntheticEvent } from "react";
import { useFetcher } from "react-router";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { StarIcon, TrashIcon } from "#app/ui/icons/icons.tsx";
import { ScoreField } from "#app/ui/watch-list/score-field.tsx";
import { StepButton } from "#app/ui/watch-list/step-button.tsx";
import { useSyncedField } from "#app/ui/watch-list/synced-field.ts";
import type { ListItem } from "./list-item.ts";

export type Status = { value: string; label: string };

type FieldsProps = { item: ListItem; statuses: readonly Status[] };

/** The id of the form of RowFields. Without scripts, the fields of EntryForm belong to it too. */
export const rowFormId = "row-fields";

/**
 * The status, progress and score of the entry that is edited. With scripts, each field saves itself; without them, the
 * Save button of EntryForm saves all.
 */
export function RowFields({ item, statuses }: FieldsProps) {
  const { malId, name } = item;
  const { Form, isBeingRemoved, shown, saving, saveScore } = useRow(item);
  return (
    <Form
      method="post"
      id={rowFormId}
      className="list-row-form"
      aria-label={name}
      // For the fields of EntryForm.
      autoComplete="off"
      data-removing={isBeingRemoved || undefined}
      {...saving}
    >
      {/* Enter presses a form's first button, even a hidden one. Without this one, it would press the minus. */}
      <button type="submit" hidden />
      <input type="hidden" name="mal_id" value={malId} />
      <StatusSelect name={name} status={shown.status} statuses={statuses} />
      <Progress item={item} shown={shown.progress} />
      <span className="list-row-points">
        <StarIcon />
        <ScoreField score={shown.score} label={`My score for ${name}`} onChosen={saveScore} />
      </span>
      <button
        className="button"
        data-kind="ghost"
        data-size="small"
        type="submit"
        formNoValidate
        name="intent"
        value="remove"
        aria-label={`Remove ${name} from the list`}
      >
        <TrashIcon />
        Remove
      </button>
      {/* After the buttons: if a name repeats, its first value counts, so the intent of a pressed button comes first. */}
      <input type="hidden" name="intent" value="save" />
    </Form>
  );
}

/** The values to show while a change is being sent, and the handlers that save the fields of the row. */
function useRow({ malId, ...stored }: ListItem) {
  const progressField = progressFieldOf(stored.status);
  const fetcher = useFetcher({ key: `list-${malId}` });
  const sent = fetcher.formData;
  const score = sent?.get("score");
  const shown = {
    status: `${sent?.get("type") ?? stored.status}`,
    progress: Number(sent?.get(progressField) ?? stored.progress) + Number(sent?.get("step") ?? 0),
    score: score ? Number(score) : score === "" ? null : stored.score,
  };
  // Sends only the changed field, so that it overwrites no field that another device has changed. A new change aborts
  // the request of the one before, so it sends the fields of both.
  const save = (changed: Record<string, string>) =>
    void fetcher.submit(
      {
        ...Object.fromEntries((sent ?? []) as Iterable<[string, string]>),
        intent: "save",
        mal_id: malId,
        ...changed,
      },
      { method: "post" },
    );
  const saveProgress = (value: string, step: string) =>
    save({ [progressField]: value, step, progress_was: `${Math.max(stored.progress, shown.progress)}` });
  // Progress is saved on blur: typing 12 types 1 first.
  const saveField = ({ target, type }: SyntheticEvent) => {
    const { name: part, value, validity } = target as HTMLInputElement;
    if (part === "score") return;
    const isProgress = part === progressField;
    if (isProgress !== (type === "blur")) return;
    if (!isProgress) save({ [part]: value });
    else if (+value !== shown.progress && validity.valid) saveProgress(value, "0");
  };
  const saveScore = ({ value }: { value: string }) => save({ score: value });
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    if (pressed?.value === "remove") return;
    event.preventDefault();
    const typed = document.activeElement as HTMLInputElement;
    if (!pressed?.value && typed.name === "score") return saveScore(typed);
    const field = event.currentTarget.elements.namedItem(progressField) as HTMLInputElement;
    saveProgress(field.value, pressed?.value || "0");
  };
  return {
    Form: fetcher.Form,
    isBeingRemoved: sent?.get("intent") === "remove",
    shown,
    saveScore,
    saving: { onChange: saveField, onBlur: saveField, onSubmit },
  };
}

/** A rewatch has its own progress. */
const progressFieldOf = (status: ListItem["status"]) =>
  status === "rewatching" ? "rewatch_progress" : "progress";

type StatusProps = { name: string; status: string; statuses: readonly Status[] };

function StatusSelect({ name, status, statuses }: StatusProps) {
  return (
    <select
      className="select"
      name="type"
      {...useSyncedField<HTMLSelectElement>(status)}
      aria-label={`List status of ${name}`}
    >
      {statuses.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Progress({ item: { episodes, name, status, progress }, shown }: { item: ListItem; shown: number }) {
  const isAtEnd = episodes !== null && shown >= episodes;
  // An import can set a progress that is higher than the catalog's number of episodes.
  const max = Math.max(episodes ?? maxEpisodeNumber, shown);
  return (
    <span className="list-row-progress">
      <StepButton step="-1" isAtEnd={shown <= 0} />
      <input
        className="input numeric"
        type="number"
        name={progressFieldOf(status)}
        {...useSyncedField<HTMLInputElement>(shown)}
        required
        min={0}
        max={max}
        aria-label={`Episodes of ${name} seen${status === "rewatching" ? " again" : ""}`}
      />
      {/* Without scripts Save sends every field. Progress that was not changed must not tick the episodes below it. */}
      <input type="hidden" name="progress_was" value={progress} />
      <span className="quiet numeric">/ {episodes ?? "?"}</span>
      <StepButton step="1" isAtEnd={isAtEnd} />
    </span>
  );
}
