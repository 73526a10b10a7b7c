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
  const { file, format, language } = subtitles;
  if (file.size > maxSubtitleBytes) return largeSubtitles;
  const written = await shared(`${id} ${form} ${file.tag}`, signal, (leaving) =>
    rewritingBudget(client, async (admit) => {
      if (!admit(2 * file.size)) return busySubtitles;
      const job = {
        kind: "subtitles" as const,
        bytes: await readWhole(file.read(null), leaving),
        format,
        form,
        language,
      };
      return writeOnThread(job, { client, signal: leaving });
    }),
  );
  if (!written.ok) return written;
  return done({
    bytes: written.value,
    tag: file.tag.replace(/"$/, `-${encodeURIComponent(language)}-${form}"`),
  });
}

type SubtitleFile = { file: MediaFile; format: SubtitleScript; language: string };

async function findFile(id: string): Promise<SubtitleFile | null> {
  const registered = await findRegisteredSubtitles(id);
  const path = registered && rootPathOf(registered.url);
  const format = registered && subtitleFormatOf(registered.url);
  if (!registered || format === null || path === null) return null;
  const file = await openServedFile(path);
  return file.ok ? { file: file.value, format, language: registered.language } : null;
}

export async function findRegisteredSubtitles(id: string): Promise<{ url: string; language: string } | null> {
  const [row] = await db
    .select({ url: episodeSubtitles.url, language: episodeSubtitles.language })
    .from(episodeSubtitles)
    .where(eq(episodeSubtitles.id, id));
  return row ?? null;
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
