import { useRef } from "react";
import { useFetcher } from "react-router";
import { MinusIcon, PlusIcon, TrashIcon } from "./icons.tsx";
import { Toast } from "./toast.tsx";

export type ListEntry = { type: string; progress: number; score: number | null; notes: string };

type Props = {
  /** Told by the server: all words of the contract would come with the browser's own copy. */
  types: readonly string[];
  entry: ListEntry | null;
  episodes: number | null;
};

type Answer = { message?: string; offersCompleted?: boolean };

/**
 * Where a title stands in one's list. Every part is a form of its own that posts to the page: `type`, `progress`,
 * `score`, `notes`, or `remove`. With JavaScript the change shows at once, and can be undone.
 */
export function ListControl({ types, entry, episodes }: Props) {
  // One a part: a second change of another part must not cut off the first on its way.
  const standing = useFetcher<Answer>();
  const counting = useFetcher<Answer>();
  const scoring = useFetcher<Answer>();
  const noting = useFetcher<Answer>();
  const fetchers = [standing, counting, scoring, noting];
  const before = useRef(entry);
  const shown = fetchers.reduce(
    (sofar, { formData }) => (formData === undefined ? sofar : afterChange(sofar, formData)),
    entry,
  );
  const isSaved = fetchers.every(({ state }) => state === "idle") && fetchers.some(({ data }) => data);
  const fault = fetchers.find(({ data }) => data?.message !== undefined)?.data?.message;
  const offersCompleted = counting.data?.offersCompleted === true && shown?.type !== "Completed";
  const Form = standing.Form;
  const remember = () => {
    before.current = entry;
  };
  return (
    <section className="list-control" aria-label="My list">
      <h2>{shown === null ? "Add to my list" : "My list"}</h2>
      <Form method="post" className="list-types" onSubmit={remember}>
        {types.map((type) => (
          <button key={type} type="submit" name="type" value={type} aria-pressed={shown?.type === type}>
            {type}
          </button>
        ))}
      </Form>
      {shown !== null && (
        <>
          <Progress Form={counting.Form} value={shown.progress} most={episodes} onSubmit={remember} />
          <ScoreField Form={scoring.Form} value={shown.score} onSubmit={remember} />
          <Note Form={noting.Form} value={shown.notes} onSubmit={remember} />
          <Remove Form={Form} onSubmit={remember} />
        </>
      )}
      {fault !== undefined && (
        <p className="form-error" role="alert">
          {fault}
        </p>
      )}
      {offersCompleted && shown !== null && (
        <Form method="post" className="list-offer" onSubmit={remember}>
          <p>That was the last episode.</p>
          <button className="button" data-size="small" type="submit" name="type" value="Completed">
            Mark as completed
          </button>
        </Form>
      )}
      <Toast
        words={isSaved ? changeWords(before.current, entry) : null}
        onUndo={() => void standing.submit(undoOf(before.current), { method: "post" })}
      />
    </section>
  );
}

type PartProps = { Form: ReturnType<typeof useFetcher>["Form"]; onSubmit: () => void };

function Progress({ Form, value, most, onSubmit }: PartProps & { value: number; most: number | null }) {
  return (
    <Form method="post" className="list-progress" onSubmit={onSubmit}>
      <span className="field-name">Progress</span>
      <button className="icon-button" name="progress" value={value - 1} type="submit" disabled={value <= 0}>
        <MinusIcon />
        <span className="visually-hidden">One episode less</span>
      </button>
      <output className="numeric">
        {value}
        <span className="quiet"> / {most ?? "?"}</span>
      </output>
      <button
        className="icon-button"
        name="progress"
        value={value + 1}
        type="submit"
        disabled={most !== null && value >= most}
      >
        <PlusIcon />
        <span className="visually-hidden">One episode more</span>
      </button>
    </Form>
  );
}

function Remove({ Form, onSubmit }: PartProps) {
  return (
    <Form method="post" onSubmit={onSubmit}>
      <button className="link" type="submit" name="remove" value="1">
        <TrashIcon />
        Remove from list
      </button>
    </Form>
  );
}

function ScoreField({ Form, value, onSubmit }: PartProps & { value: number | null }) {
  return (
    <Form method="post" className="list-score" onSubmit={onSubmit}>
      <label className="field-name" htmlFor="my-score">
        My score
      </label>
      <select
        className="select"
        id="my-score"
        name="score"
        // A key would make another field of it, and take the focus away.
        ref={(field) => {
          if (field) field.value = `${value ?? ""}`;
        }}
        defaultValue={value ?? ""}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        <option value="">–</option>
        {Array.from({ length: 10 }, (_, index) => 10 - index).map((score) => (
          <option key={score} value={score}>
            {score}
          </option>
        ))}
        {value !== null && !Number.isInteger(value) && <option value={value}>{value}</option>}
      </select>
      <button className="button no-script-only" data-size="small" type="submit">
        Save
      </button>
    </Form>
  );
}

function Note({ Form, value, onSubmit }: PartProps & { value: string }) {
  return (
    <details className="list-note">
      <summary className="link">{value === "" ? "Add a note" : "My note"}</summary>
      <Form method="post" onSubmit={onSubmit}>
        <textarea
          className="input"
          name="notes"
          rows={3}
          maxLength={4000}
          defaultValue={value}
          aria-label="My note"
        />
        <button className="button" data-size="small" type="submit">
          Save note
        </button>
      </Form>
    </details>
  );
}

/** What the list will say once the server has answered. */
function afterChange(entry: ListEntry | null, change: FormData): ListEntry | null {
  if (change.has("remove")) return null;
  const text = (name: string) => change.get(name)?.toString();
  const base = entry ?? { type: "Watching", progress: 0, score: null, notes: "" };
  const score = text("score");
  return {
    type: text("type") ?? base.type,
    progress: Number(text("progress") ?? base.progress),
    score: score === undefined ? base.score : score === "" ? null : Number(score),
    notes: text("notes") ?? base.notes,
  };
}

function undoOf(entry: ListEntry | null): Record<string, string> {
  if (entry === null) return { remove: "1" };
  return {
    type: entry.type,
    progress: String(entry.progress),
    score: entry.score === null ? "" : String(entry.score),
    notes: entry.notes,
  };
}

function changeWords(before: ListEntry | null, now: ListEntry | null): string | null {
  if (now === null) return before === null ? null : "Removed from your list";
  if (before?.type !== now.type) return `In your list as ${now.type}`;
  if (before.progress !== now.progress) return `Progress: episode ${now.progress}`;
  if (before.score !== now.score) return now.score === null ? "Score taken away" : `Scored ${now.score}`;
  return before.notes === now.notes ? null : "Note saved";
}
