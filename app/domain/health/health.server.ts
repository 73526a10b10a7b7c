import { dirname } from "node:path";
import { newBackupPath } from "#app/domain/backup/backup.server.ts";
import { findDetailTrouble } from "#app/domain/details/details.server.ts";
import { eventDays } from "#app/domain/events/events.ts";
import { listFeeds } from "#app/domain/feeds/feeds.server.ts";
import {
  countPassedOver,
  findRootsTrouble,
  hasFilmRoots,
  listScans,
} from "#app/domain/films/films.server.ts";
import { filmsForAnybodyText } from "#app/domain/films/films.ts";
import { getSignUpState } from "#app/domain/joining/joining.server.ts";
import { openProxyText } from "#app/domain/proxy/proxy.ts";
import { findOpenSetupStep } from "#app/domain/setup/setup.server.ts";
import { type SetupStep, stepText } from "#app/domain/setup/setup.ts";
import { commandTextOfBackup } from "#app/platform/command-text.server.ts";
import { findMailTrouble } from "#app/platform/mail.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { ffmpegText, findFfmpeg } from "#app/platform/process/ffmpeg.server.ts";
import { getFreeDiskBytes, minFreeDiskBytes } from "#app/platform/process/free-disk.server.ts";
import { isClosedSite, signUpsSetting } from "#app/platform/site-settings.server.ts";
import { days, sizeText } from "#app/platform/units.ts";
import { countSite, isFailing, type SiteCounts } from "./site-counts.server.ts";

/** The door of the site's health: its counts, and everything that needs an operator. */

export type SiteNeed = {
  about:
    | "films"
    | "scan"
    | "undecided"
    | "unplayable"
    | "plays"
    | "conversion"
    | "feed"
    | "details"
    | "mail"
    | "disk"
    | "proxy"
    | "folder"
    | "joining"
    | "setup"
    | "backup";
  text: string;
  /** No alarm: a step still to do, or files that the site leaves aside. */
  isStep?: true;
  /** Where the operator goes on with the setup. */
  setupStep?: SetupStep;
};

/** Whatever keeps a part of the site from working until the operator does something. */
export async function listTroubles(): Promise<SiteNeed[]> {
  const [films, feeds, details, mail, disk] = await Promise.all([
    findRootsTrouble(),
    listFeedTroubles(),
    findDetailTrouble(),
    findMailTrouble(),
    findDiskTrouble(),
  ]);
  // A scan fails when the folder cannot be read, and the folder's own sentence says more.
  const scan = films === null ? await findScanTrouble() : null;
  return [
    ...needOf("films", films),
    ...needOf("scan", scan),
    ...needOf("conversion", findConversionTrouble()),
    ...needOf("disk", disk),
    ...feeds.flatMap((text) => needOf("feed", text)),
    ...needOf("details", details),
    ...needOf("mail", mail),
  ];
}

type SiteHealth = { counts: SiteCounts; needs: SiteNeed[] };

/**
 * Lists every trouble and every open decision of the operators' pages. An empty list tells the operator that nothing
 * needs them, so whatever another page warns of or asks about must have a line here. Wishes are left out, because an
 * operator does not decide about them.
 */
export async function getSiteHealth(): Promise<SiteHealth> {
  const [counts, troubles, joining, setup, unplayable] = await Promise.all([
    countSite(),
    listTroubles(),
    findJoiningNeed(),
    findSetupNeed(),
    findUnplayableFiles(),
  ]);
  const { filmsToDecide, failedPlays, firstAccountAt, lastBackupAt } = counts;
  const siteAgeMs = firstAccountAt === null ? 0 : Date.now() - firstAccountAt.getTime();
  return {
    counts,
    needs: [
      ...troubles,
      ...setup,
      ...needOf("undecided", undecidedText(filmsToDecide)),
      ...unplayable,
      ...needOf("plays", failedPlaysText(failedPlays)),
      ...joining.filter(({ isStep }) => !isStep || siteAgeMs < maxNewSiteAgeMs),
      ...needOf("proxy", isClosedSite() ? null : asSentence(openProxyText(env))),
      ...findFolderNeed(siteAgeMs),
      ...findBackupNeed(lastBackupAt, siteAgeMs),
    ],
  };
}

const needOf = (about: SiteNeed["about"], text: string | null): SiteNeed[] =>
  text === null ? [] : [{ about, text }];

function findConversionTrouble() {
  const isMissed = hasFilmRoots() && env.FFMPEG !== "off" && findFfmpeg() === null;
  return isMissed
    ? `${ffmpegText()}. Until then some videos have no sound or no picture, or do not play.`
    : null;
}

async function findScanTrouble() {
  const [last] = await listScans(1);
  return last?.outcome === "failed" ? `The last scan failed: ${last.message ?? "it does not say why"}` : null;
}

async function listFeedTroubles() {
  const feeds = await listFeeds();
  return feeds.filter(isFailing).map(({ name, runs }) => {
    const failed = runs.find(({ outcome }) => outcome === "failed");
    return `${failed?.message ?? "It failed"} (feed ${name}). The site tries again by itself.`;
  });
}

/** Warns the operator before the disk is full. */
async function findDiskTrouble() {
  const free = await getFreeDiskBytes();
  if (free >= minFreeDiskBytes) return null;
  return `Only ${sizeText(free)} of the disk of DATA_DIR are free, less than ${sizeText(minFreeDiskBytes)} (MIN_FREE_DISK). The site stores no pictures and no cache files on it until more is free.`;
}

/** The warning that strangers can watch films matters more than the one about SIGNUPS, so it is shown alone. */
async function findJoiningNeed(): Promise<SiteNeed[]> {
  const { mode, warning } = await getSignUpState();
  const text = filmsForAnybodyText({ ...env, hasFilms: hasFilmRoots() }, mode === "open") ?? warning;
  const isOpenChoice = signUpsSetting() === undefined && warning === null;
  return [
    ...needOf("joining", asSentence(text)),
    ...(isOpenChoice
      ? [{ about: "joining" as const, text: "Who may join is not chosen yet.", isStep: true as const }]
      : []),
  ];
}

async function findSetupNeed(): Promise<SiteNeed[]> {
  const setupStep = await findOpenSetupStep();
  if (setupStep === null) return [];
  return [{ about: "setup", text: `Finish setting up: ${stepText(setupStep)}.`, isStep: true, setupStep }];
}

async function findUnplayableFiles(): Promise<SiteNeed[]> {
  const { all } = hasFilmRoots() ? await countPassedOver() : { all: 0 };
  if (all === 0) return [];
  const files = all === 1 ? "1 file or folder" : `${all.toLocaleString("en")} files or folders`;
  return [{ about: "unplayable", text: `${files} cannot be played.`, isStep: true }];
}

const asSentence = (text: string | null) =>
  text === null ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function undecidedText(count: number) {
  if (count === 0) return null;
  return count === 1
    ? "1 video waits for you to say which title it belongs to."
    : `${count.toLocaleString("en")} videos wait for you to say which titles they belong to.`;
}

function failedPlaysText(count: number) {
  if (count === 0) return null;
  return `${count === 1 ? "A video" : `${count.toLocaleString("en")} videos`} failed to play in the last 7 days.`;
}

/**
 * An older backup is worth little after a broken disk. At most `eventDays`, because the events say when it was made.
 */
const maxBackupAgeMs = days(30);

/** On a site this new, a missing backup is a step still to do and no trouble. */
const maxNewSiteAgeMs = days(7);

/** A site that has had no media folder for longer is a catalog on purpose. */
function findFolderNeed(siteAgeMs: number): SiteNeed[] {
  if (hasFilmRoots() || siteAgeMs >= maxNewSiteAgeMs) return [];
  const text = "No media folder yet: choose it, or leave it if this site is to be a catalog without videos.";
  return [{ about: "folder", text, isStep: true }];
}

function findBackupNeed(lastBackupAt: Date | null, siteAgeMs: number): SiteNeed[] {
  const folder = dirname(newBackupPath());
  const advice = `The command ${commandTextOfBackup()} writes one to ${folder} while the site runs, best every night. Copy it to another disk.`;
  if (lastBackupAt === null) {
    // The events say when a backup was made, and are kept for `eventDays`.
    const missing =
      siteAgeMs < days(eventDays)
        ? "No backup was made yet"
        : `No backup was made in the last ${eventDays} days`;
    const isNew = siteAgeMs < maxNewSiteAgeMs;
    return [{ about: "backup", text: `${missing}. ${advice}`, ...(isNew && { isStep: true }) }];
  }
  const ageMs = Date.now() - lastBackupAt.getTime();
  if (ageMs <= maxBackupAgeMs) return [];
  return needOf("backup", `The last backup is ${Math.floor(ageMs / days(1))} days old. ${advice}`);
}
