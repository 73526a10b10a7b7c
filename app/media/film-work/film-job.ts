import type { Inspection, Span } from "../film/inspection.ts";
import type { LinesPart } from "../matroska/subtitle-lines.ts";
import type { Cut } from "../segments/cut-segment.ts";

/** The messages between this process and the child processes that read films. */

/**
 * A film's file, with its version when it was inspected. A child never cuts from another version of the file. `id` is
 * the device and number of the file that was judged: a child refuses another file at the same path.
 */
export type FilmVersion = { file: string; id?: string; size: number; modifiedMs: number };

export type FilmOrder =
  | ({ kind: "inspect" } & Pick<FilmVersion, "file" | "id">)
  /**
   * Makes the next part of the index of a film that has none. `at`: the position of the part's first cluster; null: the
   * film's first cluster.
   */
  | ({ kind: "index"; at: number | null } & FilmVersion)
  /** Reads the next part of the lines of a subtitle track. */
  | ({ kind: "lines"; track: number; from: LinesPart["next"] } & FilmVersion)
  /** Makes the head that a converter reads before the first cluster. */
  | ({ kind: "head" } & FilmVersion & Pick<Cut, "track">)
  /** Makes the head that a converter reads before the pieces of an MP4 track. */
  | ({ kind: "piece-head" } & FilmVersion & Pick<Cut, "track">)
  | ({ kind: "piece" } & FilmVersion & Cut)
  | ({ kind: "init" } & FilmVersion & Pick<Cut, "track" | "at">)
  | ({ kind: "segment" } & FilmVersion & Cut)
  /** Checks whether the folder answers. */
  | { kind: "probe"; file: string };

export type FilmAnswer =
  /** The bytes are the segment, or the head. */
  | { kind: "cut" }
  /** The bytes are the key frames; `hasIndex` is false if the film has no index. */
  | {
      kind: "inspected";
      inspection: Inspection;
      hasIndex: boolean;
      size: number;
      modifiedMs: number;
      fingerprint: string;
    }
  /**
   * The bytes are the key frames of this part. `spans`: where each track begins and ends in it; `next`: the position of
   * the next part, null at the end.
   */
  | { kind: "indexed"; next: number | null; spans: [track: number, span: Span][]; hasOpenGroups: boolean }
  /** The bytes are the lines, as `packLines` writes them. */
  | ({ kind: "lines" } & Omit<LinesPart, "lines">)
  | { kind: "probed" }
  | { kind: "refused"; why: "missing" | "changed" | "damaged"; message: string };
