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
  ["ts", "MPEG-TS"],
  ["vob", "MPEG-PS"],
  ["wmv", "WMV"],
]);

type Held = { path: string; inspection: Pick<Inspection, "container"> };

/** The container's name if no browser opens it. */
export const closedContainerOf = ({ path, inspection: { container } }: Held): string | undefined =>
  container === "mpegts" || container === "other" ? closedContainers.get(extensionOf(path)) : undefined;
