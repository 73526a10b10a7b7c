import { z } from "zod";
import { maxEpisodeNumber, maxMalId } from "#app/domain/catalog/catalog.ts";
import { editList, type ListEdit, type ListEditResult } from "#app/domain/library/library.server.ts";
import { listStatuses, maxEntriesPerEdit, maxNoteLength, maxScore } from "#app/domain/library/library.ts";
import { listUnstorableText } from "#app/http/endpoint/request-body.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { dateInput, timeInput } from "./input-aliases.server.ts";

/** The form that edits the watch list, wherever it stands: on a title's page, on the list, on home, in a notice. */

const malId = z.coerce.number().int().positive().max(maxMalId);
const type = z.enum(listStatuses);
const progress = z.coerce.number().int().min(0).max(maxEpisodeNumber);
const score = z.coerce.number().min(0).max(maxScore);
// A form without scripts sends each line break as two characters; the textarea counts it as one.
const notes = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n"))
  .pipe(z.string().max(maxNoteLength));

const before = z.object({
  type,
  progress,
  score: score.nullable(),
  // As stored, and so with its line breaks as they are; JSON may hide text that the database refuses.
  notes: z
    .string()
    .max(maxNoteLength)
    .refine((text) => listUnstorableText(text).length === 0),
  startedOn: dateInput.nullable(),
  finishedOn: dateInput.nullable(),
  addedAt: timeInput.transform((moment) => moment.toISOString()),
});

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
  .pipe(z.array(z.object({ malId, before: before.nullable() })));

const form = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    mal_id: malId,
    type: type.optional(),
    progress: progress.optional(),
    /** What the plus and minus buttons of a row add to `progress`. */
    step: z.coerce.number().int().min(-1).max(1).default(0),
    score: z
      .literal("")
      .transform(() => null)
      .or(score)
      .optional(),
    notes: notes.optional(),
  }),
  z.object({ intent: z.literal("remove"), mal_id: malId }),
  /* Each title that is ticked is a field of its own, `title-` and its id. */
  z.looseObject({ intent: z.literal("bulk-move"), type }),
  z.looseObject({ intent: z.literal("bulk-remove") }),
  z.object({ intent: z.literal("restore"), entries: undo }),
]);

/** An undo carries notes, whose characters a form sends in up to nine bytes each. */
const maxFormBytes = maxEntriesPerEdit * (9 * maxNoteLength + 1000);

/** Does what the form says. The answer is what the page's notice shows: a message, the undo, and what to offer. */
export async function editListByForm(userId: string, request: Request) {
  const read = await readPageForm(form, request, { limit: maxFormBytes });
  if (!read.ok) return formErrorResponse(read);
  const edit = toEdit(read.value);
  const edited = await editList(userId, edit);
  if (!edited.ok) return formErrorResponse(edited);
  const { undo, offersCompleted } = edited.value;
  return { message: messageOf(edit, edited.value), undo, offersCompleted };
}

function toEdit(sent: z.output<typeof form>): ListEdit {
  switch (sent.intent) {
    case "save": {
      const { intent: kind, mal_id: malId, progress, step, ...fields } = sent;
      return {
        kind,
        malId,
        ...fields,
        progress: progress === undefined ? progress : stepped(progress, step),
      };
    }
    case "remove":
      return { kind: "remove", ids: [sent.mal_id] };
    case "bulk-move":
      return { kind: "move", ids: tickedIds(sent), type: sent.type };
    case "bulk-remove":
      return { kind: "remove", ids: tickedIds(sent) };
    case "restore":
      return { kind: "restore", entries: sent.entries };
  }
}

const stepped = (progress: number, step: number) => Math.min(maxEpisodeNumber, Math.max(0, progress + step));

const tickedIds = (sent: object) =>
  Object.keys(sent).flatMap((name) =>
    /^title-[1-9]\d{0,8}$/.test(name) ? [Number(name.slice("title-".length))] : [],
  );

function messageOf(edit: ListEdit, { titles, undo }: ListEditResult): string {
  const what = titles.length === 1 ? (titles[0] ?? "") : `${titles.length} titles`;
  if (titles.length === 0) return "Nothing was chosen";
  switch (edit.kind) {
    case "save": {
      const before = undo[0]?.before;
      if (edit.type !== undefined && edit.type !== before?.type) return `Saved ${what} as ${edit.type}`;
      if (edit.progress !== undefined && edit.progress !== before?.progress)
        return `Saved ${what}: episode ${edit.progress}`;
      if (edit.score !== undefined && edit.score !== before?.score)
        return `Saved ${what}: ${edit.score === null ? "no score" : `score ${edit.score}`}`;
      return `Saved ${what}`;
    }
    case "move":
      return `Moved ${what} to ${edit.type}`;
    case "remove":
      return `Removed ${what}`;
    case "restore":
      return `Took back the change of ${what}`;
  }
}
