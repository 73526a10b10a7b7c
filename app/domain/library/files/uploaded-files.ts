import type { Ceiling, Preferences } from "#app/domain/accounts/accounts.ts";
import type { Rows } from "#app/platform/process/stored-rows.ts";
import type { FileEntryWithName } from "../list/entry.ts";
import type {
  FileDismissal,
  FileProfile,
  FileResumePoint,
  FileSearch,
  FileTrackChoice,
  FileVerdict,
  FileView,
  FileWish,
} from "./account-file.ts";
import type { SkippedEntry } from "./list-records.ts";

/** Parsed uploads. Their rows are on the disk, and an import reads them in pieces. */

/** Each title occurs once. */
export type UploadedList = { entries: Rows<FileEntryWithName>; skipped: Rows<SkippedEntry> };

export type UploadedPerson = {
  profile: FileProfile;
  preferences: Partial<Preferences>;
  list: UploadedList;
  searches: Rows<FileSearch>;
  resumePoints: Rows<FileResumePoint>;
  views: Rows<FileView>;
  trackChoices: Rows<FileTrackChoice>;
  dismissals: Rows<FileDismissal>;
  wishes: Rows<FileWish>;
};

/** Another profile of the household. Only a child's profile in the owner's file has more than the name. */
export type UploadedProfile = { name: string; ceiling: Ceiling | null; person: UploadedPerson | null };

export type UploadedAccount = UploadedPerson & {
  householdTitles: Rows<FileVerdict>;
  household: UploadedProfile[];
};
