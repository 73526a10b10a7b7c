import { listFeeds } from "#app/domain/feeds/feeds.server.ts";
import { findMediaDirTrouble } from "#app/domain/films/films.server.ts";
import { findSignUpState } from "#app/domain/joining/joining.server.ts";
import { findMailTrouble } from "#app/platform/mail.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { ffmpegText, findFfmpeg } from "#app/platform/process/ffmpeg.server.ts";
import { findFreeDiskBytes, minFreeDiskBytes } from "#app/platform/process/free-disk.server.ts";
import { sizeText } from "#app/platform/units.ts";

/**
 * The door of the site's health: parts that do not work until the operator does something. None of them prevents the
 * start.
 */

export { countSite } from "./site-counts.server.ts";

export type Trouble = { about: "films" | "conversion" | "feed" | "mail" | "disk" | "joining"; text: string };

export async function listTroubles(): Promise<Trouble[]> {
  const [films, feeds, mail, disk, { warning }] = await Promise.all([
    findMediaDirTrouble(),
    listFeedTroubles(),
    findMailTrouble(),
    findDiskTrouble(),
    findSignUpState(),
  ]);
  const conversion = findConversionTrouble();
  return [
    ...troubleOf("films", films),
    ...troubleOf("conversion", conversion),
    ...troubleOf("disk", disk),
    ...feeds.flatMap((text) => troubleOf("feed", text)),
    ...troubleOf("mail", mail),
    ...troubleOf("joining", warning && `${warning}.`),
  ];
}

const troubleOf = (about: Trouble["about"], text: string | null): Trouble[] =>
  text === null ? [] : [{ about, text }];

function findConversionTrouble() {
  const isMissed = env.MEDIA_DIR !== undefined && env.FFMPEG !== "off" && findFfmpeg() === null;
  return isMissed
    ? `${ffmpegText()}. Until then some films have no sound or no picture, or do not play.`
    : null;
}

async function listFeedTroubles() {
  const feeds = await listFeeds();
  return feeds.flatMap(({ name, failures, runs }) => {
    const [last] = runs;
    if (failures === 0 || last?.outcome !== "failed") return [];
    return [`${last.message ?? "It failed"} (feed ${name}). The site tries again by itself.`];
  });
}

/** Warns the operator before the disk is full. */
async function findDiskTrouble() {
  const free = await findFreeDiskBytes();
  if (free >= minFreeDiskBytes) return null;
  return `Only ${sizeText(free)} of the disk of DATA_DIR are free, less than ${sizeText(minFreeDiskBytes)} (MIN_FREE_DISK). The site stores no pictures and no cache files on it until more is free.`;
}
