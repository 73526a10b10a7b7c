import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { env } from "#app/platform/process/env.server.ts";
import { getFreeDiskBytes, minFreeDiskBytes } from "#app/platform/process/free-disk.server.ts";
import { mebibytes, sizeText } from "#app/platform/units.ts";
import { fetchRefusalOf } from "#app/platform/upstream/fetch-refusal.server.ts";
import { dropBody, headerOf } from "#app/platform/upstream/read-body.server.ts";
import type { SafeResponse } from "#app/platform/upstream/safe-fetch.server.ts";
import { FeedFailure } from "./feed-failure.ts";
import { askServer, failureOfFetch, failureOfStatus, requireReadable } from "./feed-requests.server.ts";

/**
 * Downloads the whole file of a feed into DATA_DIR before it is imported. If a download is interrupted, the next run
 * continues it.
 */

/** The validators of a file (RFC 9110, section 8.8). */
export type Validators = { etag: string | null; lastModified: string | null };
type FetchedFile = Validators & { path: string };

const usualMaxBytes = mebibytes(512);
/** After this many interrupted imports the file is downloaded again, because a damaged file may be the reason. */
const maxTries = 3;

const downloadNote = z.object({
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  isWhole: z.boolean(),
  tries: z.number(),
});
type DownloadState = z.output<typeof downloadNote> & { bytes: number };

export type FetchSettings = {
  /** The validators of the file that was imported last. */
  known: Validators;
  maxBytes?: number;
  maxMs?: number;
  /** Stops the download, or the import after the entries read so far. */
  signal: AbortSignal;
  onProgress: (bytes: number) => void;
};

/** Returns null if the server reports that the file is unchanged. */
export async function fetchFeedFile(address: string, settings: FetchSettings): Promise<FetchedFile | null> {
  const path = pathOf(address);
  let state = await readDownloadState(path);
  if (state && state.tries >= maxTries) {
    await dropFeedFile(address);
    state = null;
  }
  if (!state?.isWhole) {
    const fetched = await download(address, path, state, settings);
    if (!fetched) return null;
    state = { ...fetched, isWhole: true, tries: 0, bytes: 0 };
  }
  await writeDownloadState(path, { ...state, tries: state.tries + 1 });
  return { path, etag: state.etag, lastModified: state.lastModified };
}

/** Deletes the file after it was imported or turned out to be unusable. */
export const dropFeedFile = (address: string): Promise<void> => dropFile(pathOf(address));

async function dropFile(path: string): Promise<void> {
  await Promise.all([rm(path, { force: true }), rm(notePath(path), { force: true })]);
}

/** Deletes the files of feeds that are no longer configured. */
export async function dropOtherFiles(addresses: readonly string[]): Promise<void> {
  const current = new Set(addresses.map(pathOf).flatMap((path) => [path, notePath(path)]));
  const present = await readdir(folder()).catch(() => []);
  const others = present.map((name) => join(folder(), name)).filter((path) => !current.has(path));
  await Promise.all(others.map((path) => rm(path, { force: true })));
}

const folder = () => join(env.DATA_DIR, "feeds");
const pathOf = (address: string) =>
  join(folder(), createHash("sha256").update(address).digest("hex").slice(0, 32));
const notePath = (path: string) => `${path}.json`;

async function readDownloadState(path: string): Promise<DownloadState | null> {
  try {
    const [note, { size }] = await Promise.all([readFile(notePath(path), "utf8"), stat(path)]);
    return { ...downloadNote.parse(JSON.parse(note)), bytes: size };
  } catch {
    return null;
  }
}

const writeDownloadState = (path: string, { bytes: _, ...note }: DownloadState) =>
  writeFile(notePath(path), JSON.stringify(note));

async function download(
  address: string,
  path: string,
  state: DownloadState | null,
  settings: FetchSettings,
): Promise<Validators | null> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const part =
    state && state.bytes > 0 && isStrong(state.etag) ? { etag: state.etag, bytes: state.bytes } : null;
  const headers = part ? rangeHeaders(part) : conditionOf(settings.known);
  const response = await askServer(address, { headers, signal: settings.signal }, settings.maxMs);
  // Some servers ignore If-Range and send a part of another version.
  const goesOn =
    part !== null &&
    response.status === 206 &&
    startsAt(response, part.bytes) &&
    headerOf(response.headers, "etag") === part.etag;
  if (response.status !== 200 && !goesOn) dropBody(response.body);
  if (response.status === 304) return null;
  if (part && !goesOn && (response.status === 206 || response.status === 416)) {
    // The server has another version of the file now.
    await dropFeedFile(address);
    return download(address, path, null, settings);
  }
  if (response.status !== 200 && !goesOn) throw failureOfStatus(response);
  requireReadable(response);
  const validators = {
    etag: headerOf(response.headers, "etag") ?? null,
    lastModified: headerOf(response.headers, "last-modified") ?? null,
  };
  // Deletes a partial file of another version first. With the new validators beside it, the next run would append the
  // rest of this version to it.
  if (!goesOn) await dropFeedFile(address);
  await writeDownloadState(path, { ...validators, isWhole: false, tries: 0, bytes: 0 });
  await store(response, path, goesOn ? part.bytes : 0, settings);
  return validators;
}

/** Writes the body into the file, after its first `begin` bytes. */
async function store(
  response: SafeResponse,
  path: string,
  begin: number,
  { maxBytes = usualMaxBytes, onProgress }: FetchSettings,
) {
  const length = Number(headerOf(response.headers, "content-length") ?? 0);
  const room = Math.min(maxBytes - begin, (await getFreeDiskBytes()) - minFreeDiskBytes);
  const tooLarge = () =>
    room < maxBytes - begin
      ? new FeedFailure("There is too little free disk for the file. Free some, or lower MIN_FREE_DISK.")
      : new FeedFailure(`The file is larger than ${sizeText(maxBytes)}`);
  if (length > room) {
    dropBody(response.body);
    throw tooLarge();
  }
  let read = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length;
      onProgress(begin + read);
      done(read > room ? tooLarge() : null, chunk);
    },
  });
  try {
    await pipeline(response.body, counter, createWriteStream(path, begin > 0 ? { flags: "a" } : {}));
  } catch (error) {
    if (error instanceof FeedFailure) {
      await dropFile(path);
      throw error;
    }
    throw failureOfFetch(fetchRefusalOf(error));
  }
}

const rangeHeaders = ({ etag, bytes }: { etag: string; bytes: number }) => ({
  range: `bytes=${bytes}-`,
  "if-range": etag,
});

const conditionOf = ({ etag, lastModified }: Validators) => ({
  ...(etag !== null && { "if-none-match": etag }),
  ...(etag === null && lastModified !== null && { "if-modified-since": lastModified }),
});

/**
 * A weak validator does not guarantee equal bytes, so it cannot be used to continue a download (RFC 9110, section
 * 13.1.5).
 */
const isStrong = (etag: string | null): etag is string => etag !== null && !etag.startsWith("W/");

const startsAt = (response: SafeResponse, bytes: number) =>
  headerOf(response.headers, "content-range")?.startsWith(`bytes ${bytes}-`) === true;
