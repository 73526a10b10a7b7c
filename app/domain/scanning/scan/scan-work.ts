import type { ScanCounts } from "#app/domain/films/films.ts";
import type { ScannedRoots } from "./scanned-roots.server.ts";

/** State shared by the parts of one scan. */
export type ScanWork = {
  roots: ScannedRoots;
  counts: ScanCounts;
  /** A film that arrived within the last minutes is judged once the file is complete. */
  isPatient: boolean;
  /** Records the scan's progress. Throws if the scan was stopped. */
  noteProgress(): Promise<void>;
  /** Called before the films of a folder are judged. */
  onFolder: (folder: string) => void;
};
