import type { Rows, StoredRows } from "#app/platform/process/stored-rows.ts";
import type { FileEntryWithName } from "../list/entry.ts";
import { mergeRepeated } from "../list/merge-entries.ts";
import type {
  AccountFile,
  FileDismissal,
  FileHouseholdProfile,
  FileResumePoint,
  FileSearch,
  FileTrackChoice,
  FileVerdict,
  FileView,
  FileWish,
  PersonFile,
} from "./account-file.ts";
import type { ListFile, SkippedEntry } from "./list-records.ts";

/** Parsed uploads. Their rows lie on the disk, and an import reads them in pieces. */

/** Each title occurs once. */
export type UploadedList = { entries: Rows<FileEntryWithName>; skipped: Rows<SkippedEntry> };

export type UploadedPerson = Pick<PersonFile, "profile" | "preferences"> & {
  list: UploadedList;
  searches: Rows<FileSearch>;
  resumePoints: Rows<FileResumePoint>;
  views: Rows<FileView>;
  trackChoices: Rows<FileTrackChoice>;
  dismissals: Rows<FileDismissal>;
  wishes: Rows<FileWish>;
};

export type UploadedProfile = Omit<FileHouseholdProfile, "person"> & { person: UploadedPerson | null };

export type UploadedAccount = UploadedPerson & {
  householdTitles: Rows<FileVerdict>;
  household: UploadedProfile[];
};

type Store = (rows: Iterable<unknown>) => StoredRows;

export const storeList = ({ entries, skipped }: ListFile, store: Store) => ({
  entries: store(mergeRepeated(entries)),
  skipped: store(skipped),
});

const storePerson = ({ profile, preferences, list, ...rows }: PersonFile, store: Store) => ({
  profile,
  preferences,
  list: storeList(list, store),
  searches: store(rows.searches),
  resumePoints: store(rows.resumePoints),
  views: store(rows.views),
  trackChoices: store(rows.trackChoices),
  dismissals: store(rows.dismissals),
  wishes: store(rows.wishes),
});

export const storeAccount = ({ householdTitles, household, ...own }: AccountFile, store: Store) => ({
  ...storePerson(own, store),
  householdTitles: store(householdTitles),
  household: household.map(({ person, ...profile }) => ({
    ...profile,
    person: person && storePerson(person, store),
  })),
});
