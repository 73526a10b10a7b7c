import { createHash } from "node:crypto";
import { z } from "zod";
import type { SignedInOperator } from "#app/domain/accounts/accounts.server.ts";
import { getTitleNames } from "#app/domain/catalog/catalog.server.ts";
import { relationKinds, titleTypes } from "#app/domain/catalog/catalog.ts";
import {
  currentIdOf,
  type EditedField,
  editTitle,
  episodeField,
  type FieldEdit,
  franchiseField,
  parseField,
  pictureWord,
  readTextField,
  relationField,
  textFieldNames,
  tidyText,
  undoEdit,
} from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { listFranchiseTitles } from "#app/domain/franchises/franchises.server.ts";
import { franchiseCorrectionKinds } from "#app/domain/franchises/franchises.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import { malIdInput as malId } from "#app/wire/forms/mal-id.server.ts";
import { printName } from "./print-name.ts";

/** The changes that the forms of a title's admin page make. */

/** 0 if the id is missing or invalid: no title has that id. */
export const readTitleId = (url: URL): number => malId.catch(0).parse(url.searchParams.get("id"));

const field = z
  .string()
  .refine((text) => parseField(text) !== null)
  .transform((text) => text as EditedField);

export const titleChange = z.discriminatedUnion("intent", [
  z.looseObject({ intent: z.literal("save") }),
  z.looseObject({ intent: z.literal("save-episodes") }),
  z.object({ intent: z.literal("unlock"), field }),
  z.object({ intent: z.literal("undo"), edit: z.uuid() }),
  z.object({ intent: z.literal("add-relation"), relation: z.enum(relationKinds), related: malId }),
  z.object({ intent: z.literal("remove-relation"), relation: z.enum(relationKinds), related: malId }),
  z.object({
    intent: z.literal("correct-franchise"),
    correction: z.enum(franchiseCorrectionKinds),
    other: z.union([z.literal("").transform(() => null), malId]).default(null),
  }),
  z.object({ intent: z.literal("remove-picture") }),
  z.object({
    intent: z.literal("create-local"),
    title: z.string(),
    type: z.enum(titleTypes).nullable().catch(null),
    sameAs: z.string().max(4000).default(""),
  }),
  z.object({ intent: z.literal("replace"), by: malId }),
]);
export type Change = z.output<typeof titleChange>;
type TitleChange = Exclude<Change, { intent: "create-local" | "replace" }>;

/** Applies the change, and returns the message for the operator. */
export async function applyTitleChange(
  malId: number,
  change: TitleChange,
  operator: SignedInOperator,
): Promise<Outcome<string>> {
  if (change.intent === "undo") return withText(await undoEdit(malId, change.edit, operator), "Undone.");
  const resolvedChange =
    change.intent === "correct-franchise" ? await nameOther(malId, change) : done(change);
  if (!resolvedChange.ok) return resolvedChange;
  const edits = editsOf(resolvedChange.value);
  if (!edits.ok) return edits;
  return withText(await editTitle(malId, edits.value, operator), savedTexts[change.intent]);
}

type FranchiseChange = Extract<TitleChange, { intent: "correct-franchise" }>;

/** A local title that was replaced stands for the title in its place. */
async function nameOther(malId: number, change: FranchiseChange): Promise<Outcome<FranchiseChange>> {
  const franchise = await listFranchiseTitles(malId);
  const hasNoStory = change.correction === "after" && franchise.length === 1;
  const alone = "This title is in no franchise with others. Join it to one first.";
  if (change.other === null) return hasNoStory ? refuse("invalid", alone) : done(change);
  const other = await currentIdOf(change.other);
  if (other === malId) return refuse("invalid", "Name another title than this one");
  const names = await getTitleNames(other, catalogKeeper);
  if (!names.ok) return refuse("not_found", "There is no title of this number");
  if (hasNoStory) return refuse("invalid", alone);
  if (change.correction === "after" && !franchise.includes(other)) {
    const isAlone = (await listFranchiseTitles(other)).length === 1;
    const where = isAlone ? "in no franchise with others" : "in another franchise";
    return refuse("invalid", `${names.value.title} is ${where}. Join the two first.`);
  }
  return done({ ...change, other });
}

const savedTexts: Record<Exclude<TitleChange["intent"], "undo">, string> = {
  save: "Saved. No import changes what you wrote until you unlock it.",
  "save-episodes": "Saved. No import changes what you wrote until you unlock it.",
  unlock: "Unlocked. What imports say counts again.",
  "add-relation": "The relation is added.",
  "remove-relation": "The relation is removed. No import adds it again.",
  "correct-franchise": "The franchise is corrected. No import changes that until you unlock it.",
  "remove-picture": "The title has no picture any more. Its poster is drawn.",
};

const withText = (outcome: Awaited<ReturnType<typeof editTitle>>, text: string): Outcome<string> => {
  if (!outcome.ok) return outcome;
  return done(outcome.value.changed.length > 0 ? text : "Nothing was different, so nothing has changed.");
};

function editsOf(change: Exclude<TitleChange, { intent: "undo" }>): Outcome<FieldEdit[]> {
  switch (change.intent) {
    case "save":
      return readFields(change);
    case "save-episodes":
      return readEpisodes(change);
    case "unlock":
      return done([{ field: change.field, word: null }]);
    case "correct-franchise":
      if (change.correction === "joined" && change.other === null)
        return refuse("invalid", "Name the title whose franchise is the same");
      return done([{ field: franchiseField(change.correction), word: { relatedId: change.other } }]);
    case "remove-picture":
      return done([{ field: "picture", word: pictureWord(null) }]);
    default: {
      const isPresent = change.intent === "add-relation";
      return done([{ field: relationField(change.related, change.relation), word: { isPresent } }]);
    }
  }
}

/**
 * A short hash of a text. The form sends the hash of the text that the page showed, which tells whether the operator
 * has changed it. Otherwise a field that an import has changed since then would be locked with its old text.
 */
export const printOf = (text: string): string =>
  createHash("sha256").update(tidyText(text)).digest("base64url").slice(0, 12);

type Form = Readonly<Record<string, unknown>>;

function findTyped(form: Form, name: string): string | null {
  const typed = form[name];
  return typeof typed === "string" && printOf(typed) !== form[printName(name)] ? tidyText(typed) : null;
}

function readFields(form: Form): Outcome<FieldEdit[]> {
  const edits: FieldEdit[] = [];
  for (const field of textFieldNames) {
    const typed = findTyped(form, field);
    if (typed === null) continue;
    const said = readTextField(field, typed);
    if (!said.ok) return said;
    edits.push({ field, word: said.value });
  }
  const changesDays = edits.some(({ field }) => field === "airedFrom" || field === "airedTo");
  return changesDays && endsBeforeItBegins(form) ? refuseLastDay : done(edits);
}

/** The form has both days, also the one that is not changed. */
function endsBeforeItBegins({ airedFrom, airedTo }: Form): boolean {
  return Boolean(airedFrom) && Boolean(airedTo) && String(airedTo) < String(airedFrom);
}

const refuseLastDay = refuse("invalid", "One of the fields is not valid", [
  { path: "airedTo", message: "must not be before the first day" },
]);

/** The name and the day of an episode follow the rules of these fields of a title. */
const fieldLike = { title: "titleEnglish", airedAt: "airedFrom" } as const;

function readEpisodes(form: Form): Outcome<FieldEdit[]> {
  const edits: FieldEdit[] = [];
  for (const name of Object.keys(form)) {
    const [, number = "", column] = /^episode (\d+) (title|airedAt)$/.exec(name) ?? [];
    const typed = findTyped(form, name);
    if (column === undefined || typed === null) continue;
    const said = readTextField(fieldLike[column as keyof typeof fieldLike], typed);
    // Without the issues: they name the title's own fields.
    if (!said.ok) return refuse("invalid", `Episode ${number}: ${said.issues?.[0]?.message}`);
    const field = episodeField(Number(number), column as keyof typeof fieldLike);
    edits.push({ field, word: { [column]: Object.values(said.value)[0] ?? null } });
  }
  return done(edits);
}
