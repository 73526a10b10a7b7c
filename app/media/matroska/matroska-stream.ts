import { DamagedFilm } from "../film/film-bytes.ts";
import { readBlockHead } from "./clusters.ts";
import { childFields, childrenOf, readElementHead, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import { shownWidthOf } from "./tracks.ts";

/** Reads Matroska while ffmpeg writes it: one track of pictures, with the clock in milliseconds. */

export type Frame = { data: Uint8Array; seconds: number; isKey: boolean };
/** `shownWidthPx`: how wide the picture is shown at its height. `config`: the codec's description. */
type StreamedPicture = { widthPx: number; heightPx: number; shownWidthPx: number; config: Buffer };
type Reader = { onPicture(picture: StreamedPicture): void; onFrame(frame: Frame): void };

/** Far more than a cluster, which ffmpeg ends after half a second. */
const maxElementLength = 64 * 1024 * 1024;

export function matroskaReader({ onPicture, onFrame }: Reader) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      const element = readElementHead(bytes, at);
      if (!element) break;
      // The segment holds all the rest of the film, so its children are read one by one.
      if (element.id === ids.segment) {
        at = element.start;
        continue;
      }
      const end = element.end ?? Number.POSITIVE_INFINITY;
      if (end - at > maxElementLength) throw new DamagedFilm("the converted film cannot be read");
      if (end > bytes.length) break;
      const content = bytes.subarray(element.start, end);
      if (element.id === ids.tracks) onPicture(pictureOf(content));
      if (element.id === ids.cluster) for (const frame of framesOf(content)) onFrame(frame);
      at = end;
    }
    rest = bytes.subarray(at);
  };
}

function pictureOf(tracks: Uint8Array): StreamedPicture {
  for (const entry of childrenOf(tracks)) {
    if (entry.id !== ids.trackEntry) continue;
    const fields = childFields(entry.content);
    const video = childFields(fields.get(ids.video) ?? new Uint8Array());
    const numberOf = (id: number) => readUnsigned(video.get(id) ?? new Uint8Array());
    const config = fields.get(ids.codecPrivate);
    const widthPx = numberOf(ids.pixelWidth);
    const heightPx = numberOf(ids.pixelHeight);
    const shownWidthPx = shownWidthOf(video, { widthPx, heightPx });
    if (config) return { widthPx, heightPx, shownWidthPx, config: Buffer.from(config) };
  }
  throw new DamagedFilm("the converted film does not describe its picture");
}

function* framesOf(cluster: Uint8Array): Generator<Frame> {
  let clusterTicks = 0;
  for (const { id, content } of childrenOf(cluster)) {
    if (id === ids.clusterTimestamp) clusterTicks = readUnsigned(content);
    if (id === ids.simpleBlock) yield frameOf(content, clusterTicks, null);
    if (id !== ids.blockGroup) continue;
    const fields = [...childrenOf(content)];
    const block = fields.find((field) => field.id === ids.block);
    const isKey = fields.every((field) => field.id !== ids.referenceBlock);
    if (block) yield frameOf(block.content, clusterTicks, isKey);
  }
}

function frameOf(block: Uint8Array, clusterTicks: number, isKey: boolean | null): Frame {
  const head = readBlockHead(block);
  if (!head) throw new DamagedFilm("a block of the converted film has no head");
  return {
    data: block.subarray(head.length),
    seconds: (clusterTicks + head.ticks) / 1000,
    isKey: isKey ?? head.isKeyFrame,
  };
}
