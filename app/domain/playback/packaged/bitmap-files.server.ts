import { LRUCache } from "lru-cache";
import { done, isOverloaded, type Outcome } from "#app/domain/errors.ts";
import { type MediaFile, openMediaFile, openServedFile, rootPathOf } from "#app/domain/films/films.server.ts";
import {
  bitmapFormatOf,
  readSubtitleName,
  subtitleLabel,
  traitsOf,
} from "#app/media/subtitles/subtitle-names.ts";
import { isSupFile } from "#app/media/subtitles/sup-file.ts";
import {
  type BitmapIndexJob,
  listVobSubStreams,
  type VobSubStream,
} from "#app/media/subtitles/vobsub-files.ts";
import { captionsPath } from "#app/paths.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { rewritingBudget, runOnThread } from "#app/platform/process/text-thread.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";
import type { PlayableBitmaps } from "../offers/playable-episode.ts";
import {
  findRegisteredSubtitles,
  noSuchSubtitles,
  readWhole,
  type SubtitleBytes,
} from "./subtitle-files.server.ts";
import { busySubtitles, largeSubtitles, maxBitmapBytes, writeOnThread } from "./subtitle-thread.server.ts";

/** Registered subtitles that are pictures in files beside the film: `.sup`, or `.idx` with its `.sub`. */

/** Two hours in 32 languages need about 2 MiB. */
const maxIndexBytes = mebibytes(2);
/** Larger indexes are read on the thread, because 2 MiB take a third of a second. One language of a film needs 100 KiB. */
const maxInlineBytes = kibibytes(128);

type SupFile = { format: "pgs"; file: MediaFile };
type VobSubFiles = {
  format: "vobsub";
  file: MediaFile;
  sub: MediaFile;
  streams: VobSubStream[];
};

/** Cache of the streams of `.idx` files by path and tag, because each page of an episode lists their languages. */
const streamsOfIndexes = new LRUCache<string, VobSubStream[]>({ max: 500 });
const readingStreams = createSharedWork<VobSubStream[]>();

/** Null if the file is missing, has another format, or is larger than the site reads. */
async function openFiles(url: string, signal: AbortSignal): Promise<SupFile | VobSubFiles | null> {
  const path = rootPathOf(url);
  const format = bitmapFormatOf(url);
  if (path === null || format === null) return null;
  const opened = await openServedFile(path);
  if (!opened.ok || opened.value.size === 0) return null;
  const file = opened.value;
  if (format === "pgs") {
    const start = await readWhole(file.read({ start: 0, end: Math.min(1, file.size - 1) }), signal);
    return isSupFile(start) ? { format, file } : null;
  }
  if (file.size > maxIndexBytes) return null;
  const sub = await openMediaFile(path.replace(/idx$/, "sub").replace(/IDX$/, "SUB"));
  if (!sub.ok) return null;
  const key = `${path} ${file.tag}`;
  const listed =
    streamsOfIndexes.get(key) ?? (await readingStreams(key, signal, (leaving) => readStreams(file, leaving)));
  streamsOfIndexes.set(key, listed);
  return { format, file, sub: sub.value, streams: listed.filter(({ start }) => start < sub.value.size) };
}

async function readStreams(file: MediaFile, signal: AbortSignal): Promise<VobSubStream[]> {
  const text = await readIndex(file, signal);
  if (file.size <= maxInlineBytes) return listVobSubStreams(text);
  const job: BitmapIndexJob = { kind: "bitmap index", text };
  return runOnThread(job, { client: "bitmap indexes", signal });
}

/** The index is ASCII but for comments. */
const readIndex = async (file: MediaFile, signal: AbortSignal) =>
  (await readWhole(file.read(null), signal)).toString("latin1");

/** More files than a release has languages. */
const maxFiles = 40;

type Registered = { id: string; url: string; language: string; label: string | null };

/** The pictures that the player offers, one for each language. A file that cannot be read is left out. */
export async function listBitmapFiles(
  subtitles: readonly Registered[],
  signal: AbortSignal,
): Promise<PlayableBitmaps[]> {
  const files = subtitles.filter(({ url }) => bitmapFormatOf(url) !== null).slice(0, maxFiles);
  const listed: PlayableBitmaps[] = [];
  for (const one of files) {
    const opened = await openFiles(one.url, signal).catch(() => null);
    if (opened) listed.push(...offersOf(one, opened));
  }
  return listed;
}

function offersOf(registered: Registered, opened: SupFile | VobSubFiles): PlayableBitmaps[] {
  const { id, url, language, label } = registered;
  const traits = traitsOf({ url, label });
  const name = readSubtitleName(url);
  const offer = (number: number, tag: string | null, given: string | null) => ({
    url: captionsPath(id, "sup", number),
    language: tag ?? "und",
    label: given ?? subtitleLabel({ ...name, language: tag }),
    ...traits,
  });
  const knownLanguage = language === "und" ? null : language;
  if (opened.format === "pgs") return [offer(0, knownLanguage, label)];
  const isAlone = opened.streams.length === 1;
  // Operators can correct a file's name, so for a single stream its language precedes that in the file.
  return opened.streams.map((stream) =>
    isAlone && knownLanguage !== null
      ? offer(stream.number, knownLanguage, label)
      : offer(stream.number, stream.language, null),
  );
}

type Request = { id: string; stream: number; client: string; signal: AbortSignal };

const shared = createSharedWork<Outcome<Buffer>>(isOverloaded);

export async function openBitmaps({ id, stream, client, signal }: Request): Promise<Outcome<SubtitleBytes>> {
  const registered = await findRegisteredSubtitles(id);
  const opened = registered && (await openFiles(registered.url, signal));
  const read = opened && readingOf(opened, stream);
  if (!read) return noSuchSubtitles;
  const { file, range, index, tag } = read;
  const length = range.end - range.start + 1;
  if (length > maxBitmapBytes) return largeSubtitles;
  const written = await shared(`${id} ${stream} ${tag}`, signal, (leaving) =>
    rewritingBudget(client, async (admit) => {
      // Twice the size: the bytes themselves, and the pictures made from them.
      if (!admit(2 * length)) return busySubtitles;
      const bytes = await readWhole(file.read(range), leaving);
      const text = index && (await readIndex(index, leaving));
      return writeOnThread(
        {
          kind: "bitmap file",
          bytes,
          index: text === null ? null : { text, stream, offset: range.start },
          maxBytes: maxBitmapBytes,
        },
        { client, signal: leaving },
      );
    }),
  );
  return written.ok ? done({ bytes: written.value, tag }) : written;
}

/** The bytes that hold the pictures of a stream. A `.sup` file has one stream, with the number 0. */
function readingOf(opened: SupFile | VobSubFiles, number: number) {
  const tagOf = (...files: MediaFile[]) =>
    `"${files.map(({ tag }) => tag.replaceAll('"', "")).join("-")}-${number}-sup"`;
  if (opened.format === "pgs") {
    const { file } = opened;
    return number === 0
      ? { file, range: { start: 0, end: file.size - 1 }, index: null, tag: tagOf(file) }
      : null;
  }
  const { file, sub, streams } = opened;
  const stream = streams.find((one) => one.number === number);
  if (!stream) return null;
  return {
    file: sub,
    range: { start: stream.start, end: Math.min(stream.end, sub.size) - 1 },
    index: file,
    tag: tagOf(file, sub),
  };
}
