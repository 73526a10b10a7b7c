import type { Inspection, Span, SubtitleScript } from "../film/inspection.ts";
import type { LinesCursor } from "../matroska/subtitle-lines.ts";
import type { Cut } from "../segments/cut-segment.ts";

/** The messages between this process and the child processes that read films. */

/** A film as it was when it was inspected. A child never cuts from another version of the file. */
export type FilmVersion = { file: string; size: number; modifiedMs: number };

export type FilmOrder =
  | { kind: "inspect"; file: string }
  /** Goes on with the index of a film that has none. `at` is where the first cluster of this part begins; null: the film's first. */
  | ({ kind: "index"; at: number | null } & FilmVersion)
  /** A part of the lines of a subtitle track. */
  | ({ kind: "lines"; track: number; from: LinesCursor | null } & FilmVersion)
  /** What a converter reads before the cluster at `at`. */
  | ({ kind: "head" } & FilmVersion & Pick<Cut, "track">)
  /** What a converter reads of MP4. */
  | ({ kind: "piece-head" } & FilmVersion & Pick<Cut, "track">)
  | ({ kind: "piece" } & FilmVersion & Cut)
  | ({ kind: "init" } & FilmVersion & Pick<Cut, "track" | "at">)
  | ({ kind: "segment" } & FilmVersion & Cut)
  /** Whether the folder answers. */
  | { kind: "probe"; file: string };

export type FilmAnswer =
  /** The bytes are the segment, or the head. */
  | { kind: "cut" }
  /** The bytes are the key frames; `hasIndex` is false if the film has none. */
  | {
      kind: "inspected";
      inspection: Inspection;
      hasIndex: boolean;
      size: number;
      modifiedMs: number;
      fingerprint: string;
    }
  /** The bytes are the key frames of this part, in which the tracks have these spans; `next` is where to go on, null at the end. */
  | { kind: "indexed"; next: number | null; spans: [track: number, span: Span][]; hasOpenGroups: boolean }
  /** The bytes are the lines, as `packLines` writes them. */
  | { kind: "lines"; script: SubtitleScript; head: string; next: LinesCursor | null }
  | { kind: "probed" }
  | { kind: "refused"; why: "missing" | "changed" | "damaged"; message: string };
