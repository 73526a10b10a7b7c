import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { titleLanguageFor, viewerOf } from "#app/access/viewer.server.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { displayTitle, maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { type Refusal, refuse } from "#app/domain/errors.ts";
import {
  type EntryEdit,
  editList,
  type ListEdit,
  type ListEditResult,
  undismissTitle,
} from "#app/domain/library/library.server.ts";
import {
  type EntryChange,
  entryFields,
  entryStateLabels,
  entryStates,
  listStatuses,
  maxEntriesPerEdit,
  maxTickRuns,
  type ScoreFormat,
  scoreText,
} from "#app/domain/library/library.ts";
import { listUnstorableText } from "#app/http/endpoint/request-body.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { snakeCase, toCamelCase, toSnakeCase } from "#app/platform/snake-case.ts";
import { timeInput } from "../input-aliases.server.ts";
import { entryFormInput, entryInput } from "../list-entry.server.ts";
import { malIdInput as malId } from "./mal-id.server.ts";
import {
  changeOpinion,
  dismissalInput,
  isDismissal,
  isOpinion,
  type Opinion,
  opinionForms,
  undismissedAnswer,
} from "./opinion-form.server.ts";

/** The form that edits the watch list. The title page, the list, the home page and the undo notice use it. */

const type = z.enum(listStatuses);
const state = z.enum(entryStates);
/** A list status, or a state, which implies a list status. Choosing a list status clears the state. */
const status = z
  .union([type.transform((type) => ({ type, state: null })), state.transform((state) => ({ state }))])
  .transform((chosen): Pick<EntryEdit, "type" | "state"> => chosen);
/** Set by "Never do this": watching and ticking change no list status from now on. */
const never = z.literal("1").optional();
const progress = z.coerce.number().int().min(0).max(maxEpisodeNumber);
const episode = z.coerce.number().int().min(1).max(maxEpisodeNumber);

const tick = z.int().min(1).max(maxEpisodeNumber);
const entryValues = {
  type,
  state: state.nullable(),
  ticks: z.array(z.tuple([tick, tick]).refine(([first, last]) => first <= last)).max(maxTickRuns),
  ...entryInput,
};
const values = z.object(entryValues);
const someValues = z.object(exactOptional(entryValues));

function exactOptional<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, field.exactOptional()]);
  return Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]> };
}

const change = z.union([
  z.object({ malId, before: z.null(), after: values }),
  z.object({
    malId,
    before: values.extend({ addedAt: timeInput.transform((moment) => moment.toISOString()) }),
    after: z.null(),
  }),
  z.object({ malId, before: someValues, after: someValues }),
]);

/**
 * More arrays, objects, fields or values than any undo has. A body of the largest size can contain millions of them.
 * Notes contain more commas than other signs.
 */
const maxSigns = { "[": 300_000, "{": 300_000, ":": 300_000, ",": 1_000_000 };

const hasTooManyParts = (text: string) =>
  Object.entries(maxSigns).some(([sign, max]) => hasMoreThan(max, sign, text));

/** Not by `split`, which would make a text of each part. */
function hasMoreThan(max: number, sign: string, text: string): boolean {
  let at = -1;
  for (let count = 0; count <= max; count++) {
    at = text.indexOf(sign, at + 1);
    if (at < 0) return false;
  }
  return true;
}

const undo = z
  .string()
  .refine((text) => !hasTooManyParts(text))
  .transform((text, checks): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      checks.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  })
  // The number is checked first: a body of the largest size can contain 100,000 changes, and parsing them would block
  // all other requests.
  .pipe(z.array(z.unknown()).max(maxEntriesPerEdit));

const undone = change.or(dismissalInput);

/**
 * Reads the parts of an undo with turns for other requests between them: each part can have thousands of ticks. Null if
 * one is wrong.
 */
async function readUndone(parts: readonly unknown[]) {
  const read: z.output<typeof undone>[] = [];
  for (const part of parts) {
    const { data } = undone.safeParse(part);
    // JSON escapes can contain characters that the database refuses.
    if (data === undefined || listUnstorableText(part).length > 0) return null;
    read.push(data);
    await nextTurn();
  }
  return read;
}

const form = z.discriminatedUnion("intent", [
  z
    .object({
      intent: z.literal("save"),
      mal_id: malId,
      never,
      type: status.optional(),
      /** Marks a single episode as seen or not seen. */
      tick: episode.optional(),
      untick: episode.optional(),
      progress: progress.optional(),
      /**
       * The progress that the form showed, that of the rewatch if there is one. The same number again is no change, and
       * episodes after it stay ticked.
       */
      progress_was: progress.optional(),
      /** The plus and minus buttons send 1 or -1, which is added to the progress. */
      step: z.coerce.number().int().min(-1).max(1).default(0),
      ...z.object(toSnakeCase(entryFormInput)).partial().shape,
    })
    .refine(({ started_on, finished_on }) => !started_on || !finished_on || started_on <= finished_on, {
      path: ["finished_on"],
      message: "is before the date “Started”",
    }),
  z.object({ intent: z.literal("remove"), mal_id: malId, never }),
  /* Each selected title has its own field, named `title-` and its id. */
  z.looseObject({ intent: z.literal("bulk-add"), type: status }),
  z.looseObject({ intent: z.literal("bulk-move"), type: status }),
  z.looseObject({ intent: z.literal("bulk-remove") }),
  z.object({ intent: z.literal("restore"), entries: undo }),
  ...opinionForms,
]);

type SentForm = z.output<typeof form>;
/** `entries`: what an undo restores. */
type Form =
  | Exclude<SentForm, { intent: "restore" }>
  | { intent: "restore"; entries: z.output<typeof undone>[] };

/** An undo contains notes. URL encoding writes a character of three UTF-8 bytes as nine bytes. */
const maxFormBytes = maxEntriesPerEdit * (9 * entryFields.notes.maxLength + 1000);

/** Runs the edit of a form. The page's notice shows the result: a message, the undo, and whether to offer Completed. */
export async function editListByForm(user: SessionUser, request: Request) {
  const read = await readPageForm(form, request, { limit: maxFormBytes });
  if (!read.ok) return formErrorResponse(withText(read));
  const input = await withReadUndo(read.value);
  if (input === null) return formErrorResponse(refuse("invalid", "The form is not complete"));
  const language = titleLanguageFor(request, user.preferences);
  if (isOpinion(input)) return changeOpinion(user, input, language);
  const dismissed = input.intent === "restore" && input.entries.find(isDismissal);
  if (dismissed) {
    await undismissTitle(user.id, dismissed);
    return undismissedAnswer;
  }
  const edit = toEdit(input, user.preferences.listsWatched);
  const edited = await editList(user.id, edit, viewerOf(user));
  if (!edited.ok) return formErrorResponse(edited);
  const { titles, ...answer } = edited.value;
  const names = titles.map((title) => displayTitle(title, language));
  const isNever = "never" in input && input.never !== undefined;
  if (isNever) await savePreferences(user.id, { listsWatched: false });
  const message = messageOf(edit, names, answer.undo, user.preferences.scoreFormat);
  return {
    ...answer,
    message: isNever ? neverText(edit, names) : message,
    offersNever: edit.kind === "save" && isMovedByTick(edit, answer.undo[0]) ? { malId: edit.malId } : null,
    isUndone: edit.kind === "restore" && titles.length > 0,
  };
}

async function withReadUndo(sent: SentForm): Promise<Form | null> {
  if (sent.intent !== "restore") return sent;
  const entries = await readUndone(sent.entries);
  return entries && { intent: "restore", entries };
}

/** The notice has room for one sentence, so it reports the first invalid field. */
function withText(refusal: Refusal): Refusal {
  for (const { path, message } of refusal.issues ?? []) {
    const text = fieldTexts[path.split(".")[0] ?? ""];
    if (text) return { ...refusal, message: `${text} ${message}. Nothing was saved.` };
  }
  return refusal;
}

const fieldTexts: Record<string, string> = {
  type: "The list status",
  progress: "The number of episodes",
  ...Object.fromEntries(
    Object.entries(entryFields).map(([name, field]) => {
      const label = "itemLabel" in field ? field.itemLabel : field.label;
      return [snakeCase(name), label.replace(/^./, (letter) => letter.toUpperCase())];
    }),
  ),
};

function toEdit(input: Exclude<Form, Opinion>, followsTicks: boolean): ListEdit {
  switch (input.intent) {
    case "restore":
      return { kind: "restore", changes: input.entries.flatMap((one) => (isDismissal(one) ? [] : [one])) };
    case "save":
      return { kind: "save", malId: input.mal_id, followsTicks, ...fieldsOf(input) };
    case "remove":
      return { kind: "remove", ids: [input.mal_id] };
    case "bulk-add":
      return { kind: "add", ids: selectedIds(input), fields: input.type };
    case "bulk-move":
      return { kind: "move", ids: selectedIds(input), fields: input.type };
    case "bulk-remove":
      return { kind: "remove", ids: selectedIds(input) };
  }
}

function fieldsOf({
  intent: _intent,
  mal_id: _malId,
  never: _never,
  type: standing,
  step,
  progress,
  progress_was: shownProgress,
  rewatch_progress: rewatchProgress,
  ...fields
}: Form & { intent: "save" }): EntryEdit {
  const isNewProgress = step !== 0 || progress !== shownProgress;
  return {
    ...standing,
    ...toCamelCase(fields),
    progress: isNewProgress ? addStep(progress, step) : undefined,
    shownProgress,
    rewatchProgress: addStep(rewatchProgress, step),
    shownRewatchProgress: shownProgress,
  };
}

const addStep = (progress: number | undefined, step: number) =>
  progress === undefined ? undefined : Math.min(maxEpisodeNumber, Math.max(0, progress + step));

const selectedIds = (form: object) =>
  Object.keys(form).flatMap((name) =>
    /^title-[1-9]\d{0,8}$/.test(name) ? [Number(name.slice("title-".length))] : [],
  );

function unchangedText(edit: ListEdit) {
  if (edit.kind === "restore") return "The list has changed since, so nothing was undone";
  if (edit.kind === "save") return "The title is not on your list, so nothing was changed";
  if (edit.kind === "add") return "All of it is on your list already";
  return edit.ids.length === 0 ? "No title was selected" : "Nothing had to be changed";
}

/** `undo` has the old and the new values of the changed fields. */
function messageOf(
  edit: ListEdit,
  names: readonly string[],
  undo: ListEditResult["undo"],
  scoreFormat: ScoreFormat,
): string {
  const [name = ""] = names;
  if (names.length === 0) return unchangedText(edit);
  const titleText = names.length === 1 ? name : `${names.length} titles`;
  switch (edit.kind) {
    case "save": {
      const after = undo[0]?.after ?? {};
      if (!isMovedByTick(edit, undo[0])) return savedText(edit, titleText, after, scoreFormat);
      const text = savedText({ ...edit, type: undefined }, titleText, after, scoreFormat);
      return `${text}. It is now Watching on your list`;
    }
    case "add":
      return `Added ${titleText} as ${statusLabel(edit.fields)}`;
    case "move":
      return `Moved ${titleText} to ${statusLabel(edit.fields)}`;
    case "remove":
      return `Removed ${titleText}`;
    case "restore":
      return `Undid the change of ${titleText}`;
  }
}

const neverText = ({ kind }: ListEdit, [name]: readonly string[]) =>
  `Watching no longer changes your list. ${name ?? "The title"} is ${kind === "remove" ? "removed from it" : "To Watch again"}`;

const statusLabel = ({ type, state }: Pick<EntryEdit, "type" | "state">) =>
  state ? entryStateLabels[state] : type;

/** The member ticked an episode of a title that was To Watch, and chose no other status. */
const isMovedByTick = ({ type = "To Watch", state }: EntryEdit, change: EntryChange | undefined) =>
  type === "To Watch" && !state && change?.before?.type === "To Watch" && change.after?.type === "Watching";

/** Names the first thing that the edit changed. */
function savedText(edit: EntryEdit, titleText: string, after: object, scoreFormat: ScoreFormat) {
  const changed = (field: string) => field in after;
  const { tick, untick, progress, score } = edit;
  if (statusLabel(edit) && (changed("type") || changed("state")))
    return `Saved ${titleText} as ${statusLabel(edit)}`;
  if (changed("ticks") && tick !== undefined) return `Ticked episode ${tick} of ${titleText}`;
  if (changed("ticks") && untick !== undefined) return `Unticked episode ${untick} of ${titleText}`;
  if (changed("ticks") && progress !== undefined) return `Saved ${titleText}: episode ${progress}`;
  if (changed("score") && score !== undefined)
    return `Saved ${titleText}: ${score === null ? "no score" : `score ${scoreText(score, scoreFormat)}`}`;
  return `Saved ${titleText}`;
}
