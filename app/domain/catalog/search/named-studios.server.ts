import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { listStudios, type Studio } from "../filters.server.ts";
import { isShort } from "./containing.server.ts";
import { indexKey } from "./index-key.ts";

const maxStudios = 12;

/** Studios by name: every typed word begins a word of the name. The one with the most titles comes first. */
export async function findStudiosNamed(query: string, viewer: Viewer): Promise<Studio[]> {
  const key = indexKey(query);
  if (isShort(key)) return [];
  const words = key.split(" ").map((word) => ` ${word}`);
  const studios = await listStudios(viewer);
  return studios
    .filter((studio) => words.every((word) => ` ${studio.key}`.includes(word)))
    .slice(0, maxStudios);
}
