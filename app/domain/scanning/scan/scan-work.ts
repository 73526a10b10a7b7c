import type { ScanCounts } from "#app/domain/films/films.ts";
import type { Registration } from "./film-registration.server.ts";

/** What the parts of one scan share. */
export type ScanWork = {
  /** The real path of MEDIA_DIR. */
  root: string;
  counts: ScanCounts;
  registration: Registration;
  /** A file that came in the last minutes is judged once it is whole. */
  isPatient: boolean;
  /** Records how far the scan is. Throws if it was stopped. */
  goOn(): Promise<void>;
};
