import type { ScratchFile, StoredRows, WithRows } from "#app/platform/process/stored-rows.ts";
import type { FileEntryWithName } from "../list/entry.ts";
import { mergeRepeated } from "../list/merge-entries.ts";
import { type ListTaker, type SkippedEntry, unreadableFile } from "./list-records.ts";

/** Writes a list to the disk while it is read. Repeated entries of a title are merged into one. */

export type StoredList = { entries: StoredRows<FileEntryWithName>; skipped: StoredRows<SkippedEntry> };
export type UploadedList = WithRows<StoredList>;

/** There are fewer anime than this, so a longer file is not a member's list. */
const maxEntries = 50_000;

export function storeList(read: (list: ListTaker) => void, scratch: ScratchFile): StoredList {
  const entries = scratch.writeRows<FileEntryWithName>();
  const skipped = scratch.writeRows<SkippedEntry>();
  const titles = new Set<number>();
  /** The positions of a title's repeated entries in the scratch file. */
  const repeats = new Map<number, ReturnType<ScratchFile["append"]>[]>();
  let count = 0;
  const countEntry = () => {
    if (++count > maxEntries) throw unreadableFile(`it has more than ${maxEntries} entries`);
  };
  read({
    add(entry) {
      countEntry();
      const { malId } = entry;
      if (titles.has(malId)) {
        const places = repeats.get(malId) ?? [];
        places.push(scratch.append(JSON.stringify(entry)));
        repeats.set(malId, places);
      } else {
        titles.add(malId);
        entries.add(entry);
      }
    },
    skip(entry) {
      countEntry();
      skipped.add(entry);
    },
  });
  const stored = entries.end();
  return {
    entries: repeats.size === 0 ? stored : scratch.store(withRepeats(stored)),
    skipped: skipped.end(),
  };

  function* withRepeats(rows: StoredRows<FileEntryWithName>) {
    for (const entry of scratch.rowsOf(rows)) yield mergeRepeated(entry, repeatsOf(entry.malId));
  }

  function* repeatsOf(malId: number) {
    for (const place of repeats.get(malId) ?? []) yield JSON.parse(scratch.read(place)) as FileEntryWithName;
  }
}
