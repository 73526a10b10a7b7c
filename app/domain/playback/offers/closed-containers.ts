import type { Inspection } from "#app/media/film/inspection.ts";
import { extensionOf } from "#app/platform/media-types.ts";

/** Containers that no browser opens. A player would try them in vain and could not say why. */
const closedContainers: ReadonlyMap<string, string> = new Map([
  ["avi", "AVI"],
  ["flv", "FLV"],
  ["m2ts", "MPEG-TS"],
  ["mpeg", "MPEG-PS"],
  ["mpg", "MPEG-PS"],
  ["mts", "MPEG-TS"],
  ["ogv", "OGV"],
  ["ts", "MPEG-TS"],
  ["vob", "MPEG-PS"],
  ["wmv", "WMV"],
]);

/** The formats that the site reads. Nothing is known about files of other formats. */
const readExtensions: ReadonlySet<string> = new Set(["m2ts", "m4v", "mkv", "mov", "mp4", "ts", "webm"]);

type Held = { path: string; inspection: Pick<Inspection, "container"> };

/** The container's name if no browser opens it. */
export const closedContainerOf = ({ path, inspection: { container } }: Held): string | undefined =>
  container === "mpegts" || container === "other" ? closedContainers.get(extensionOf(path)) : undefined;

/** Why the site could read nothing in a file of a format that it reads. */
export function unreadableOf({
  path,
  size,
  inspection,
}: Held & { size: number }): "empty" | "damaged" | undefined {
  if (inspection.container !== "other" || !readExtensions.has(extensionOf(path))) return undefined;
  return size === 0 ? "empty" : "damaged";
}
