import { childrenOf, readElementHead, readUnsigned } from "#app/media/matroska/ebml.ts";
import { compression, element, idBytes, ids, sizeBytes } from "#tests/support/data/matroska-bytes.ts";

/** Rewrites a Matroska film as mkvmerge wrote films until 2011: without the bytes with which each packet of sound begins. */

const packetsInBlock = 4;

/**
 * `header`: the bytes to remove. Up to four packets of the track share a block. The index is left out, because all
 * positions change.
 */
export function withoutHeaders(film: Buffer, track: number, header: Buffer): Buffer {
  const first = headAt(film, 0);
  const segment = headAt(film, first.end ?? 0);
  const kept: Buffer[] = [];
  for (let at = segment.start; at < film.length; ) {
    const one = headAt(film, at);
    const end = one.end ?? film.length;
    const content = film.subarray(one.start, end);
    if (one.id === ids.info) kept.push(film.subarray(at, end));
    if (one.id === ids.tracks) kept.push(tracksOf(content, track, header));
    if (one.id === ids.cluster) kept.push(clusterOf(content, track, header));
    at = end;
  }
  const inside = Buffer.concat(kept);
  return Buffer.concat([
    film.subarray(0, first.end ?? 0),
    idBytes(ids.segment),
    sizeBytes(inside.length),
    inside,
  ]);
}

function headAt(film: Buffer, at: number) {
  const found = readElementHead(film, at);
  if (!found) throw new Error(`no element begins at ${at}`);
  return found;
}

function tracksOf(content: Uint8Array, track: number, header: Buffer): Buffer {
  // The checksum of the unchanged entries is left out.
  const all = [...childrenOf(content)].filter(({ id }) => id === ids.trackEntry);
  const entries = all.map(({ id, content: entry }) => {
    const number = [...childrenOf(entry)].find((field) => field.id === ids.trackNumber);
    const isWanted = number && readUnsigned(number.content) === track;
    const encodings = compression(3, header);
    return isWanted ? element(id, entry, encodings) : element(id, entry);
  });
  return element(ids.tracks, ...entries);
}

function clusterOf(content: Uint8Array, track: number, header: Buffer): Buffer {
  const written: Buffer[] = [];
  let together: Uint8Array[] = [];
  const flush = () => {
    const [first] = together;
    if (first) written.push(element(ids.simpleBlock, laced(first, together, header.length)));
    together = [];
  };
  const inCluster: readonly number[] = [ids.clusterTimestamp, ids.simpleBlock, ids.blockGroup];
  for (const { id, content: child } of childrenOf(content)) {
    if (!inCluster.includes(id)) continue;
    if (id === ids.simpleBlock && child[0] === (0x80 | track)) {
      if (!Buffer.from(child.subarray(4, 4 + header.length)).equals(header))
        throw new Error("a packet begins otherwise");
      together.push(child);
      if (together.length === packetsInBlock) flush();
    } else written.push(element(id, child));
  }
  flush();
  return element(ids.cluster, ...written);
}

const ebmlLacing = 6;

/** The packets after the head of the first block. Packets of AC-3 have one size, so all differences are 0. */
function laced(first: Uint8Array, blocks: readonly Uint8Array[], removed: number): Buffer {
  const packets = blocks.map((block) => Buffer.from(block.subarray(4 + removed)));
  const head = Buffer.from(first.subarray(0, 4));
  head[3] = (head[3] ?? 0) | ebmlLacing;
  const size = packets[0]?.length ?? 0;
  if (packets.some(({ length }) => length !== size)) throw new Error("the packets have different sizes");
  const sizes = [0x40 | (size >> 8), size & 255, ...packets.slice(2).map(() => 0xbf)];
  return Buffer.concat([
    head,
    Buffer.from([packets.length - 1, ...(packets.length > 1 ? sizes : [])]),
    ...packets,
  ]);
}
