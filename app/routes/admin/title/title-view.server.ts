import { dateIn, japanTimeZone } from "#app/domain/calendar/calendar.ts";
import { type RatingCode, type RelationKind, ratingCodes, seasons } from "#app/domain/catalog/catalog.ts";
import {
  type EditedEpisode,
  type EditedRelation,
  type EditedTitle,
  type FieldState,
  franchiseField,
  type ListedEdit,
  type ShownField,
  type TextFieldName,
  textFieldNames,
  textFields,
} from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { type TitleSource, termsOf } from "#app/domain/catalog-import/catalog-import.server.ts";
import type { ListedCorrection } from "#app/domain/franchises/franchises.server.ts";
import { type FranchiseCorrection, franchiseCorrectionKinds } from "#app/domain/franchises/franchises.ts";
import { isStoredImagePath } from "#app/paths.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { relationLabels } from "#app/ui/titles/relation-labels.ts";
import { printOf } from "./title-changes.server.ts";

/** The texts of a title's admin page. */

type Editors = ReadonlyMap<string, string>;

type Input = { kind: "line" | "lines" | "day" | "number" } | { kind: "choice"; choices: [string, string][] };

const line: Input = { kind: "line" };
const choiceOf = (choices: [string, string][]): Input => ({
  kind: "choice",
  choices: [["", "Unknown"], ...choices],
});

/** Short, because a list of choices breaks no line: with large text, it would show only the beginning of a long one. */
const ratingTexts: Record<RatingCode, string> = {
  g: "G: all ages",
  pg: "PG: children",
  "pg-13": "PG-13: from 13",
  r: "R-17+: from 17",
  "r+": "R+: nudity",
  rx: "Rx: hentai",
};

const fieldTexts: Record<TextFieldName, { label: string; input: Input }> = {
  title: { label: "Main name", input: line },
  titleEnglish: { label: "English name", input: line },
  titleJapanese: { label: "Japanese name", input: line },
  titleSynonyms: { label: "Other names, one on each line", input: { kind: "lines" } },
  synopsis: { label: "Synopsis", input: { kind: "lines" } },
  airedFrom: { label: "First day", input: { kind: "day" } },
  airedTo: { label: "Last day", input: { kind: "day" } },
  season: { label: "Season", input: choiceOf(seasons.map((one) => [one, one])) },
  year: { label: "Year", input: { kind: "number" } },
  episodes: { label: "Number of episodes", input: { kind: "number" } },
  genres: { label: "Genres, with commas between them", input: { kind: "lines" } },
  rating: { label: "Rating", input: choiceOf(ratingCodes.map((code) => [code, ratingTexts[code]])) },
  trailer: { label: "Trailer: its address on YouTube", input: line },
};

type CorrectionTexts = { label: string; withTitle: string; without: string };
const correctionTexts: Record<FranchiseCorrection["correction"], CorrectionTexts> = {
  joined: {
    label: "Same franchise",
    withTitle: "its franchise is the same as that of title",
    without: "as the relations say",
  },
  moved: {
    label: "Franchise",
    withTitle: "only in the franchise of title",
    without: "in no franchise",
  },
  after: {
    label: "Place in the story",
    withTitle: "after title",
    without: "first",
  },
};
const correctionText = (correction: FranchiseCorrection["correction"], relatedId: number | null) => {
  const { withTitle, without } = correctionTexts[correction];
  return relatedId === null ? without : `${withTitle} ${relatedId}`;
};

const labelOfField = (field: string): string => {
  if (field === "picture") return "Picture";
  const [kind, number, what] = field.split(" ");
  if (kind === "episode") return `Episode ${number}, ${what === "title" ? "name" : "day"}`;
  const correction = franchiseCorrectionKinds.find((one) => field === franchiseField(one));
  if (correction) return correctionTexts[correction].label;
  if (kind === "relation") return `${relationLabels[what as RelationKind]}: title ${number}`;
  return (fieldTexts[field as TextFieldName]?.label ?? field).replace(/[,:].*/, "");
};

const fromText = (source: TitleSource | null) => (source === null ? "" : `, from ${termsOf[source].label}`);
const sourceText = (source: TitleSource | null) =>
  source === null ? "No source knows it." : `From ${termsOf[source].label}.`;

const lockedText = (field: string, editors: Editors) => `Locked by ${editors.get(field) ?? "an operator"}.`;

const maxQuotedLength = 200;
const quoted = (text: string) =>
  text === "" ? "nothing" : `“${text.slice(0, maxQuotedLength)}${text.length > maxQuotedLength ? "…" : ""}”`;

/** A field with the page's text about its source. */
function toFieldView({ field, text, source, unlocked }: ShownField, editors: Editors) {
  const othersSay = unlocked && `Without it: ${quoted(unlocked.text)}${fromText(unlocked.source)}.`;
  return {
    field,
    text,
    print: printOf(text),
    isLocked: unlocked !== null,
    note: unlocked === null ? sourceText(source) : lockedText(field, editors),
    othersSay,
  };
}
export type FieldView = ReturnType<typeof toFieldView>;
export type TextFieldView = FieldView & { label: string; input: Input };

/** The last editor of each field. */
const editorsOf = (edits: readonly ListedEdit[], operatorId: string): Editors =>
  new Map(
    edits
      .filter(({ canUndo }) => canUndo)
      .map(({ field, by }) => [field, by === null ? "an operator" : by.id === operatorId ? "you" : by.name]),
  );

type Parts = {
  title: EditedTitle;
  episodes: readonly EditedEpisode[];
  relations: readonly EditedRelation[];
  corrections: readonly ListedCorrection[];
  edits: readonly ListedEdit[];
  operatorId: string;
  now: Date;
};

export function toTitleView({ title, episodes, relations, corrections, edits, operatorId, now }: Parts) {
  const editors = editorsOf(edits, operatorId);
  const { picture } = title.fields;
  return {
    malId: title.malId,
    title: title.title,
    fields: textFieldNames.map(
      (name): TextFieldView => ({ ...toFieldView(title.fields[name], editors), ...fieldTexts[name] }),
    ),
    picture: toFieldView(picture, editors),
    episodes: episodes.map((episode) => ({
      number: episode.number,
      title: toFieldView(episode.title, editors),
      airedAt: toFieldView(episode.airedAt, editors),
    })),
    relations: relations.map((relation) => ({
      ...relation,
      label: relationLabels[relation.relation],
      note:
        relation.source === "operator" ? lockedText(relation.field, editors) : sourceText(relation.source),
      isLocked: relation.source === "operator",
    })),
    corrections: corrections.map(({ correction, relatedId, hasEffect }) => ({
      field: franchiseField(correction),
      label: correctionTexts[correction].label,
      text: correctionText(correction, relatedId) + (hasEffect ? "" : " (without effect now)"),
      note: lockedText(franchiseField(correction), editors),
    })),
    edits: edits.map((edit) => toEditView(edit, now)),
  };
}
type TitleView = ReturnType<typeof toTitleView>;
export type EpisodeView = TitleView["episodes"][number];
export type RelationView = TitleView["relations"][number];
export type CorrectionView = TitleView["corrections"][number];

function toEditView({ id, at, by, field, before, after, canUndo }: ListedEdit, now: Date) {
  return {
    id,
    canUndo,
    time: at.toISOString(),
    ago: timeAgoText(at, now),
    by: by?.name ?? "an operator",
    what: labelOfField(field),
    from: stateText(field, before),
    to: stateText(field, after) + (after.word === null ? " (unlocked)" : ""),
  };
}
export type EditView = ReturnType<typeof toEditView>;

function stateText(field: string, { value, word }: FieldState): string {
  const correction = franchiseCorrectionKinds.find((one) => field === franchiseField(one));
  if (correction)
    return word !== null && "relatedId" in word
      ? correctionText(correction, word.relatedId)
      : "as the relations say";
  if (field.startsWith("relation"))
    return "isPresent" in value && value.isPresent ? "related" : "not related";
  const known = value as Record<string, string | null>;
  if (field === "picture") {
    const url = known.imageLargeWebp ?? known.imageWebp ?? known.imageUrl ?? "no picture";
    return isStoredImagePath(url) ? "a picture that was sent here" : url;
  }
  if (field.endsWith(" airedAt"))
    return known.airedAt ? dateIn(new Date(known.airedAt), japanTimeZone) : "nothing";
  if (field.startsWith("episode")) return quoted(known.title ?? "");
  return quoted(textFields[field as TextFieldName].toText(value as never));
}
