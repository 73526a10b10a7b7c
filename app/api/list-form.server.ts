import { z } from "zod";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { maxEpisodeNumber, maxMalId } from "#app/domain/catalog/catalog.ts";
import type { Refusal } from "#app/domain/errors.ts";
import { editList, type ListEdit, type ListEditResult } from "#app/domain/library/library.server.ts";
import { listStatuses, maxEntriesPerEdit, maxNoteLength, maxScore } from "#app/domain/library/library.ts";
import { listUnstorableText } from "#app/http/endpoint/request-body.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { viewerOf } from "./access/viewer.server.ts";
import { dateInput, timeInput } from "./input-aliases.server.ts";

/** The form that edits the watch list. The title page, the list, the home page and the undo notice use it. */

const malId = z.coerce.number().int().positive().max(maxMalId);
const type = z.enum(listStatuses);
const progress = z.coerce.number().int().min(0).max(maxEpisodeNumber);
const score = z.coerce.number().min(0).max(maxScore);
// Browsers send each line break in a form as CR LF, but `maxlength` of the textarea counts it as one character.
const notes = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n"))
  .pipe(z.string().max(maxNoteLength));

const values = z.object({
  type,
  progress,
  score: score.nullable(),
  // Notes in an undo keep their line breaks. JSON escapes can contain characters that the database refuses.
  notes: z
    .string()
    .max(maxNoteLength)
    .refine((text) => listUnstorableText(text).length === 0),
  startedOn: dateInput.nullable(),
  finishedOn: dateInput.nullable(),
});

const { shape } = values;
const someValues = z.object({
  type: shape.type.exactOptional(),
  progress: shape.progress.exactOptional(),
  score: shape.score.exactOptional(),
  notes: shape.notes.exactOptional(),
  startedOn: shape.startedOn.exactOptional(),
  finishedOn: shape.finishedOn.exactOptional(),
});

const change = z.union([
  z.object({ malId, before: z.null(), after: values }),
  z.object({
    malId,
    before: values.extend({ addedAt: timeInput.transform((moment) => moment.toISOString()) }),
    after: z.null(),
  }),
  z.object({ malId, before: someValues, after: someValues }),
]);

const undo = z
  .string()
  .transform((text, checks): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      checks.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  })
  // Checked first: a body of the largest size can hold 100,000 changes, and parsing them would stop all other requests.
  .pipe(z.array(z.unknown()).max(maxEntriesPerEdit))
  .pipe(z.array(change));

const form = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    mal_id: malId,
    type: type.optional(),
    progress: progress.optional(),
    /** The plus and minus buttons of a row send 1 or -1, which is added to `progress`. */
    step: z.coerce.number().int().min(-1).max(1).default(0),
    score: z
      .literal("")
      .transform(() => null)
      .or(score)
      .optional(),
    notes: notes.optional(),
  }),
  z.object({ intent: z.literal("remove"), mal_id: malId }),
  /* Each selected title has its own field, `title-` and its id. */
  z.looseObject({ intent: z.literal("bulk-move"), type }),
  z.looseObject({ intent: z.literal("bulk-remove") }),
  z.object({ intent: z.literal("restore"), entries: undo }),
]);

/** An undo contains notes. URL encoding writes a character of three UTF-8 bytes as nine bytes. */
const maxFormBytes = maxEntriesPerEdit * (9 * maxNoteLength + 1000);

/** Runs the edit of a form. The page's notice shows the result: a message, the undo and whether to offer Completed. */
export async function editListByForm(user: SessionUser, request: Request) {
  const read = await readPageForm(form, request, { limit: maxFormBytes });
  if (!read.ok) return formErrorResponse(withText(read));
  const edit = toEdit(read.value);
  const edited = await editList(user.id, edit, viewerOf(user));
  if (!edited.ok) return formErrorResponse(edited);
  const { undo, offersCompleted } = edited.value;
  return { message: messageOf(edit, edited.value), undo, offersCompleted };
}

/** The notice has room for one sentence, so it names the first field that is wrong. */
function withText(refusal: Refusal): Refusal {
  const issue = refusal.issues?.find(({ path }) => path in fieldTexts);
  if (!issue) return refusal;
  return { ...refusal, message: `${fieldTexts[issue.path]} ${issue.message}. Nothing was saved.` };
}

const fieldTexts: Record<string, string> = {
  notes: "The note",
  progress: "The number of episodes",
  score: "The score",
  type: "The list status",
};

function toEdit(input: z.output<typeof form>): ListEdit {
  switch (input.intent) {
    case "save": {
      const { intent: kind, mal_id: malId, progress, step, ...fields } = input;
      return {
        kind,
        malId,
        ...fields,
        progress: progress === undefined ? progress : addStep(progress, step),
      };
    }
    case "remove":
      return { kind: "remove", ids: [input.mal_id] };
    case "bulk-move":
      return { kind: "move", ids: selectedIds(input), type: input.type };
    case "bulk-remove":
      return { kind: "remove", ids: selectedIds(input) };
    case "restore":
      return { kind: "restore", changes: input.entries };
  }
}

const addStep = (progress: number, step: number) => Math.min(maxEpisodeNumber, Math.max(0, progress + step));

const selectedIds = (form: object) =>
  Object.keys(form).flatMap((name) =>
    /^title-[1-9]\d{0,8}$/.test(name) ? [Number(name.slice("title-".length))] : [],
  );

function unchangedText(edit: ListEdit) {
  if (edit.kind === "restore") return "The list has changed since, so nothing was undone";
  const isNoneSelected = edit.kind !== "save" && edit.ids.length === 0;
  return isNoneSelected ? "No title was selected" : "Nothing had to be changed";
}

function messageOf(edit: ListEdit, { titles, undo }: ListEditResult): string {
  const titleText = titles.length === 1 ? (titles[0] ?? "") : `${titles.length} titles`;
  if (titles.length === 0) return unchangedText(edit);
  switch (edit.kind) {
    case "save": {
      const before = undo[0]?.before;
      if (edit.type !== undefined && edit.type !== before?.type) return `Saved ${titleText} as ${edit.type}`;
      if (edit.progress !== undefined && edit.progress !== before?.progress)
        return `Saved ${titleText}: episode ${edit.progress}`;
      if (edit.score !== undefined && edit.score !== before?.score)
        return `Saved ${titleText}: ${edit.score === null ? "no score" : `score ${edit.score}`}`;
      return `Saved ${titleText}`;
    }
    case "move":
      return `Moved ${titleText} to ${edit.type}`;
    case "remove":
      return `Removed ${titleText}`;
    case "restore":
      return `Undid the change of ${titleText}`;
  }
}
