import type { PagePreferences } from "#app/access/viewer.server.ts";
import { dateIn } from "#app/domain/calendar/calendar.ts";
import { pickFields } from "#app/domain/declared-fields.ts";
import { continueOf, type NextStep } from "#app/domain/discovery/discovery.server.ts";
import {
  countEntryTags,
  findOwnEntry,
  type ListChoices,
  type ListedEntry,
  listChoicesOf,
  listEntryTags,
  listPageOf,
} from "#app/domain/library/library.server.ts";
import {
  entryFieldNames,
  entryStates,
  listStatusChoices,
  scoreText,
  statusOf,
} from "#app/domain/library/library.ts";
import { searchKey, sortKey } from "#app/domain/names/names.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { titlePath } from "#app/paths.ts";
import { shortDateText } from "#app/routes/views/date-format.server.ts";
import { drawnLanguageOf, listedText, toWatchLink } from "#app/routes/views/title-views.server.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";
import type { ListQuery } from "#app/wire/list-query.ts";
import type { EntryDetails, ListItem } from "./list-item.ts";

type ListReader = { userId: string; preferences: PagePreferences; viewer: Viewer; timeZone: string };

/** The page of a member's list that the query selects, with names in the member's title language. */
export async function toListView(
  entries: readonly ListedEntry[],
  query: ListQuery,
  { userId, preferences, viewer, timeZone }: ListReader,
) {
  const { titleLanguage: language } = preferences;
  const { entries: shown, ...page } = await listPageOf(
    entries,
    { ...query, filters: query },
    {
      sortKeyOf: (entry) => sortKey(nameIn(entry, language).name),
      isFound: foundBy(query.words),
    },
  );
  const ids = shown.map(({ malId }) => malId);
  const [steps, tags, tagCounts] = await Promise.all([
    continueOf(userId, ids, viewer),
    listEntryTags(userId, ids),
    countEntryTags(userId, viewer),
  ]);
  const edited = shown.find(({ malId }) => malId === query.edit);
  return {
    ...page,
    items: shown.map((entry) =>
      toListItem(
        { ...entry, tags: tags.get(entry.malId) ?? [] },
        { ...preferences, timeZone },
        steps.get(entry.malId),
      ),
    ),
    details: edited ? await findDetails(userId, edited.malId) : null,
    choices: toChoices(listChoicesOf(entries), tagCounts),
  };
}

function foundBy(words: string): (entry: ListedEntry) => boolean {
  const sought = searchKey(words);
  if (sought === "") return () => true;
  return ({ title, titleEnglish, titleJapanese }) =>
    [title, titleEnglish, titleJapanese].some((name) => name !== null && searchKey(name).includes(sought));
}

const progressOf = ({ state, progress, rewatchProgress }: ListedEntry) =>
  state === "rewatching" ? rewatchProgress : progress;

type EntryWithTags = ListedEntry & { tags: readonly string[] };

function toListItem(
  entry: EntryWithTags,
  { titleLanguage, scoreFormat, timeZone }: PagePreferences & { timeZone: string },
  step: NextStep | undefined,
): ListItem {
  const { malId, titleType, year, episodes, titleScore, score, genres } = entry;
  const status = statusOf(entry);
  const progress = progressOf(entry);
  return {
    malId,
    path: titlePath(malId, entry.title),
    ...nameIn(entry, titleLanguage),
    ...drawnLanguageOf(entry, titleLanguage),
    titleType,
    year,
    episodes,
    titleScore,
    status,
    listed: listedText(entry, episodes),
    progress,
    score,
    scoreText: score === null ? null : scoreText(score, scoreFormat),
    marks: marksOf(entry),
    genres: genres.slice(0, maxGenres).join(" · "),
    dates: datesText(entry, timeZone),
    watch: toWatchLink(step),
  };
}

const maxGenres = 3;

/** The rewatches, the note and the tags of the entry, as short texts. */
function marksOf({ rewatchCount, hasNote, tags }: EntryWithTags): string {
  const again = rewatchCount === 1 ? "once" : `${rewatchCount} times`;
  const marks = [rewatchCount > 0 && `Watched again ${again}`, hasNote && "Note", ...tags];
  return marks.filter(Boolean).join(" · ");
}

/** The dates that the member gave, else the day on which the entry was added. */
function datesText({ startedOn, finishedOn, addedAt }: ListedEntry, timeZone: string): string {
  const lines = [
    ...(startedOn === null ? [] : [`Started ${dayText(startedOn)}`]),
    ...(finishedOn === null ? [] : [`Finished ${dayText(finishedOn)}`]),
  ];
  return lines.length > 0 ? lines.join("\n") : `Added ${dayText(dateIn(addedAt, timeZone))}`;
}

const dayText = (date: string) => shortDateText(new Date(`${date}T12:00:00Z`));

/** Reads the entry again, because a listed one has neither note nor tags. */
async function findDetails(userId: string, malId: number): Promise<EntryDetails | null> {
  const entry = await findOwnEntry(userId, malId);
  return entry && { malId, ...pickFields(entry, entryFieldNames) };
}

type Choice = { value: string; label: string; count: number };

/** Years from the newest; everything else from the most frequent. */
function toChoices({ statuses, formats, genres, years }: ListChoices, tags: ReadonlyMap<string, number>) {
  const choicesOf = (counts: ReadonlyMap<string, number>): Choice[] =>
    [...counts]
      .map(([value, count]) => ({ value, label: value, count }))
      .sort((one, other) => other.count - one.count || one.value.localeCompare(other.value));
  return {
    statuses: listStatusChoices().map((choice) => ({
      ...choice,
      isState: entryStates.some((state) => state === choice.value),
      count: statuses.get(choice.value) ?? 0,
    })),
    formats: choicesOf(formats),
    genres: choicesOf(genres),
    years: choicesOf(years).sort((one, other) => Number(other.value) - Number(one.value)),
    tags: choicesOf(tags),
  };
}

export type ListChoicesView = ReturnType<typeof toChoices>;
