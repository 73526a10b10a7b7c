import { childFields, childrenOf, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import type { MatroskaFile } from "./matroska-file.ts";

/** An entry of a film's index: the position of a block of a track. */
export type IndexEntry = {
  track: number;
  /** In ticks of the film's clock. */
  ticks: number;
  /** The position of the block's cluster in the file. */
  clusterAt: number;
  /** The position of the block in the content of its cluster. Null: not in the index. */
  relative: number | null;
};

/** Twice as many as a film with subtitles in 25 languages has. */
const maxEntries = 150_000;

/**
 * Entries that point beyond the end of the file are left out: the film was cut off before them. An index with too many
 * entries counts as missing, because without the last ones the film would end early.
 */
export function readIndexEntries(file: MatroskaFile): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const { id, content } of childrenOf(file.readIndex())) {
    if (id !== ids.cuePoint) continue;
    let ticks: number | null = null;
    for (const field of childrenOf(content)) {
      if (field.id === ids.cueTime) ticks = readUnsigned(field.content);
      if (field.id !== ids.cueTrackPositions || ticks === null) continue;
      const values = childFields(field.content);
      const track = values.get(ids.cueTrack);
      const position = values.get(ids.cueClusterPosition);
      if (!track || !position) continue;
      const relative = values.get(ids.cueRelativePosition);
      const clusterAt = file.segmentStart + readUnsigned(position);
      if (clusterAt < file.size)
        entries.push({
          track: readUnsigned(track),
          ticks,
          clusterAt,
          relative: relative ? readUnsigned(relative) : null,
        });
      if (entries.length > maxEntries) return [];
    }
  }
  return entries;
}
