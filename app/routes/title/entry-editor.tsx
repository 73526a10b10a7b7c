import type { ComponentProps } from "react";
import type { useFetcher } from "react-router";
import { entryFields } from "#app/domain/library/library.ts";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";
import { CheckIcon, CloseIcon, IconLine, TrashIcon } from "#app/ui/icons/icons.tsx";
import { useAnsweringFetcher, useSaved } from "#app/ui/watch-list/answering-fetcher.ts";
import { announce, type EditAnswer } from "#app/ui/watch-list/edit-answer.ts";
import { EditNotice } from "#app/ui/watch-list/edit-notice.tsx";
import { ScoreField } from "#app/ui/watch-list/score-field.tsx";
import { StepButton } from "#app/ui/watch-list/step-button.tsx";
import { useSyncedField } from "#app/ui/watch-list/synced-field.ts";

type EntryFields = {
  type: string;
  state: string | null;
  progress: number;
  rewatchProgress: number;
  score: number | null;
  notes: string;
  /** The member has seen the last episode, and the entry is not marked as completed yet. */
  canComplete: boolean;
};

type Props = {
  malId: number;
  /** From the loader: importing the enumeration would put all enumerations into this chunk. */
  statuses: readonly { value: string; label: string }[];
  entry: EntryFields | null;
  episodes: number | null;
  /** The page's action data, for browsers without scripts. */
  answer: EditAnswer | undefined;
};

/** The member's entry of this title. Each part is a separate form. With scripts, a change shows before it is saved. */
export function EntryEditor({ malId, statuses, entry, episodes, answer }: Props) {
  // One fetcher for each part, because a fetcher aborts its running request when it gets a new one.
  const status = useAnsweringFetcher(announce);
  const progress = useAnsweringFetcher(announce);
  const score = useAnsweringFetcher(announce);
  const note = useAnsweringFetcher(announce);
  const saved = useSaved(note);
  const shown = [status, progress, score, note].reduce(
    (entrySoFar, { formData }) =>
      formData === undefined ? entrySoFar : withPendingChange(entrySoFar, formData),
    entry,
  );
  return (
    <section className="entry-editor" id="my-list" aria-label="My list">
      <EditNotice pageAnswer={answer} />
      <button type="button" className="button entry-open" popoverTarget={sheetId}>
        {summaryText(shown, { statuses, episodes })}
      </button>
      <div className="entry-fields" id={sheetId} popover="auto">
        <SheetHead name={shown ? "My list" : "Add to list"} />
        <StatusButtons
          Form={status.Form}
          malId={malId}
          statuses={statuses}
          chosen={shown?.state ?? shown?.type}
        />
        {shown !== null && (
          <>
            {episodes !== 1 && (
              <Progress
                Form={progress.Form}
                malId={malId}
                {...(shown.state === "rewatching"
                  ? {
                      field: "rewatch_progress",
                      value: shown.rewatchProgress,
                      known: Math.max(shown.rewatchProgress, entry?.rewatchProgress ?? 0),
                    }
                  : {
                      field: "progress",
                      value: shown.progress,
                      known: Math.max(shown.progress, entry?.progress ?? 0),
                    })}
                max={episodes}
              />
            )}
            {shown.canComplete && shown.type !== "Completed" && (
              <CompleteButton Form={status.Form} malId={malId} />
            )}
            <OwnScore Form={score.Form} malId={malId} value={shown.score} />
            <Note
              Form={note.Form}
              malId={malId}
              value={shown.notes}
              saved={saved.notes ?? entry?.notes ?? ""}
            />
            <EntryForm Form={status.Form} malId={malId} intent="remove">
              <VanishingButton className="link">
                <TrashIcon />
                Remove from list
              </VanishingButton>
            </EntryForm>
          </>
        )}
      </div>
    </section>
  );
}

/**
 * The id of the sheet with the fields. Wide screens show the fields beside the text; on small screens the browser opens
 * the sheet without scripts.
 */
const sheetId = "my-entry";

const SheetHead = ({ name }: { name: string }) => (
  <div className="entry-head">
    <h2>{name}</h2>
    <button type="button" className="icon-button" popoverTarget={sheetId}>
      <CloseIcon />
      <span className="visually-hidden">Close</span>
    </button>
  </div>
);

/** "Watching · 12/64", on the button that opens the fields on a small screen. */
function summaryText(
  entry: EntryFields | null,
  { statuses, episodes }: Pick<Props, "statuses" | "episodes">,
) {
  if (entry === null) return "Add to list";
  const { type, state, progress, rewatchProgress } = entry;
  const label = statuses.find(({ value }) => value === (state ?? type))?.label ?? type;
  const seen = state === "rewatching" ? rewatchProgress : progress;
  // A title can be completed without a count of its episodes.
  if (episodes === 1 || ((state ?? type) === "Completed" && seen === 0)) return label;
  return `${label} · ${seen}/${episodes ?? "?"}`;
}

type PartProps = { Form: ReturnType<typeof useFetcher>["Form"]; malId: number };
type EntryFormProps = PartProps & { intent?: string } & Pick<
    ComponentProps<"form">,
    "className" | "children"
  >;

function EntryForm({ Form, malId, intent = "save", className, children }: EntryFormProps) {
  return (
    <Form method="post" className={className}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="mal_id" value={malId} />
      {children}
    </Form>
  );
}

type StatusProps = PartProps & { statuses: Props["statuses"]; chosen: string | undefined };

const StatusButtons = ({ statuses, chosen, ...part }: StatusProps) => (
  <EntryForm {...part} className="list-types">
    {statuses.map(({ value, label }) => (
      <button key={value} type="submit" name="type" value={value} aria-pressed={chosen === value}>
        {label}
      </button>
    ))}
    <p className="quiet">Collection is for what you own or keep, whether you mean to watch it or not.</p>
  </EntryForm>
);

const CompleteButton = (part: PartProps) => (
  <EntryForm {...part}>
    <VanishingButton className="button" data-kind="primary" name="type" value="Completed">
      <CheckIcon />
      Mark as Completed
    </VanishingButton>
  </EntryForm>
);

/** The favorite button, beside the play button. It shows the new state before the server has saved it. */
export function Heart({ malId, isFavorite }: { malId: number; isFavorite: boolean }) {
  const { Form, formData } = useAnsweringFetcher(announce);
  const isOn = formData ? formData.get("intent") === "favorite" : isFavorite;
  return (
    <EntryForm Form={Form} malId={malId} intent={isOn ? "unfavorite" : "favorite"}>
      <button className="button title-heart" data-kind="glass" type="submit" aria-pressed={isOn}>
        <IconLine d="M12 20.3C7 16.5 3.5 13.2 3.5 9.2c0-2.6 2-4.7 4.5-4.7 1.6 0 3.1.9 4 2.3.9-1.4 2.4-2.3 4-2.3 2.5 0 4.5 2.1 4.5 4.7 0 4-3.5 7.3-8.5 11.1Z" />
        <span className="visually-hidden">Favorite</span>
      </button>
    </EntryForm>
  );
}

type ProgressProps = PartProps & {
  field: string;
  value: number;
  /** The highest tick, or episode of the rewatch, that the page knows of, stored or still being sent. */
  known: number;
  max: number | null;
};

function Progress({ field, value, known, max, ...part }: ProgressProps) {
  return (
    <EntryForm {...part} className="list-progress">
      {/* The number is the highest ticked episode. Earlier ones may be unticked. */}
      <span className="field-name">At episode</span>
      <input type="hidden" name={field} value={value} />
      <input type="hidden" name="progress_was" value={known} />
      <StepButton step="-1" isAtEnd={value <= 0} />
      <output className="numeric">
        {value}
        <span className="quiet"> / {max ?? "?"}</span>
      </output>
      <StepButton step="1" isAtEnd={max !== null && value >= max} />
    </EntryForm>
  );
}

function OwnScore({ value, ...part }: PartProps & { value: number | null }) {
  return (
    <EntryForm {...part} className="list-score">
      <label className="field-name" htmlFor="my-score">
        My score
      </label>
      <ScoreField id="my-score" score={value} />
      <button className="button no-script-only" data-size="small" type="submit">
        Save
      </button>
    </EntryForm>
  );
}

function Note({ value, saved, ...part }: PartProps & { value: string; saved: string }) {
  return (
    <details className="list-note">
      <summary className="link">{value === "" ? "Add a note" : "My note"}</summary>
      <EntryForm {...part}>
        <textarea
          className="input"
          name="notes"
          rows={3}
          maxLength={entryFields.notes.maxLength}
          // The saved note, and not the one that is being sent: otherwise a refusal would lose the typed text.
          {...useSyncedField<HTMLTextAreaElement>(saved, "keep")}
          // On a reload, Firefox would fill in an older text, which would look like a change.
          autoComplete="off"
          aria-label="My note"
        />
        <button className="button" data-size="small" type="submit">
          Save note
        </button>
      </EntryForm>
    </details>
  );
}

/** The entry as it will be after the server has saved the change that is being sent. */
function withPendingChange(entry: EntryFields | null, sent: FormData): EntryFields | null {
  if (sent.get("intent") !== "save") return entry;
  const text = (name: string) => sent.get(name)?.toString();
  const base = entry ?? newEntry;
  const count = (name: string, before: number) =>
    sent.has(name) ? Number(text(name)) + Number(text("step") ?? 0) : before;
  const [type, state] = standingOf(text("type"), base);
  const score = text("score");
  return {
    type,
    state,
    progress: count("progress", base.progress),
    rewatchProgress: count("rewatch_progress", base.rewatchProgress),
    score: score === undefined ? base.score : score === "" ? null : Number(score),
    notes: text("notes") ?? base.notes,
    canComplete: base.canComplete,
  };
}

const newEntry: EntryFields = {
  type: "Watching",
  state: null,
  progress: 0,
  rewatchProgress: 0,
  score: null,
  notes: "",
  canComplete: false,
};

/** The chosen value is a state if it begins with a small letter, and a list status if it begins with a capital. */
function standingOf(chosen: string | undefined, { type, state }: EntryFields): [string, string | null] {
  if (chosen === undefined) return [type, state];
  return /^[a-z]/.test(chosen) ? [type, chosen] : [chosen, null];
}
