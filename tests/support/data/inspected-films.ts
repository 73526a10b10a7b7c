import { type Inspection, inspectionFormat } from "#app/media/film/inspection.ts";

/** The flags of a track that has none. */
export const noFlags = {
  isDefault: false,
  isForced: false,
  isForHearingImpaired: false,
  isForVisualImpaired: false,
  isCommentary: false,
};

/** A Matroska film of a minute with the given tracks and nothing else. */
export const inspectionOf = (tracks: Pick<Inspection, "video" | "audio">): Inspection => ({
  format: inspectionFormat,
  container: "matroska",
  durationSeconds: 60,
  subtitles: [],
  chapters: [],
  edition: null,
  segmentId: null,
  linkedFiles: [],
  fonts: [],
  soundFiles: [],
  obstacle: null,
  standsInFor: null,
  ...tracks,
});
