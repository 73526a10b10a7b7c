import type { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { done, isOverloaded, type Outcome, refuse } from "#app/domain/errors.ts";
import { type MediaFile, openServedFile, rootPathOf } from "#app/domain/films/films.server.ts";
import type { SubtitleScript } from "#app/media/film/inspection.ts";
import { subtitleFormatOf } from "#app/media/subtitles/subtitle-names.ts";
import type { SubtitleForm } from "#app/media/subtitles/subtitle-text.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { rewritingBudget } from "#app/platform/process/text-thread.server.ts";
import { db } from "#db/client.server.ts";
import { episodeSubtitles } from "#db/schema/episodes.ts";
import { busySubtitles, largeSubtitles, maxSubtitleBytes, writeOnThread } from "./subtitle-thread.server.ts";

/** Opens registered subtitles that are texts in MEDIA_DIR, written as WebVTT or ASS. */

export type SubtitleBytes = { bytes: Buffer; tag: string };
type Request = { id: string; form: SubtitleForm; client: string; signal: AbortSignal };

const shared = createSharedWork<Outcome<Buffer>>(isOverloaded);

export const noSuchSubtitles = refuse("not_found", "No such subtitles");

export async function openSubtitles({ id, form, client, signal }: Request): Promise<Outcome<SubtitleBytes>> {
  const subtitles = await findFile(id);
  // Only ASS can be drawn.
  if (!subtitles || (form === "ass" && subtitles.format !== "ass")) return noSuchSubtitles;
  const { file, format } = subtitles;
  if (file.size > maxSubtitleBytes) return largeSubtitles;
  const written = await shared(`${id} ${form} ${file.tag}`, signal, (leaving) =>
    rewritingBudget(client, async (admit) => {
      if (!admit(2 * file.size)) return busySubtitles;
      const job = {
        kind: "subtitles" as const,
        bytes: await readWhole(file.read(null), leaving),
        format,
        form,
      };
      return writeOnThread(job, { client, signal: leaving });
    }),
  );
  if (!written.ok) return written;
  return done({ bytes: written.value, tag: file.tag.replace(/"$/, `-${form}"`) });
}

async function findFile(id: string): Promise<{ file: MediaFile; format: SubtitleScript } | null> {
  const url = await findSubtitleUrl(id);
  const path = url === null ? null : rootPathOf(url);
  const format = url === null ? null : subtitleFormatOf(url);
  if (format === null || path === null) return null;
  const file = await openServedFile(path);
  return file.ok ? { file: file.value, format } : null;
}

export async function findSubtitleUrl(id: string): Promise<string | null> {
  const [row] = await db
    .select({ url: episodeSubtitles.url })
    .from(episodeSubtitles)
    .where(eq(episodeSubtitles.id, id));
  return row?.url ?? null;
}

export async function readWhole(body: Readable, signal: AbortSignal): Promise<Buffer> {
  const leave = () => body.destroy(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return Buffer.concat(await body.toArray());
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
