import type { Inspection } from "#app/media/film/inspection.ts";
import { isRemuxed, type OtherContainer } from "#app/media/film/other-containers.ts";
import { extensionOf } from "#app/platform/media-types.ts";

/** Containers that no browser opens. A player would try them in vain and could not say why. */
const names: Readonly<Record<OtherContainer, string>> = {
  avi: "AVI",
  mpegts: "MPEG-TS",
  mpegps: "MPEG-PS",
  asf: "WMV",
  ogg: "OGV",
  flv: "FLV",
  realmedia: "RealMedia",
  ogm: "OGM",
  disc: "disc image",
};

/** The reason why a site cannot convert a film as a whole: it has no ffmpeg, or too little memory. */
export type StandInLack = "ffmpeg" | "memory";
export type ClosedContainer = {
  name: string;
  /** The extension of the file. */
  extension: string;
  /**
   * `lacks`: what the site needs to play such a file. `never`: the site cannot convert it. `converts`: the site converts
   * it, so only the file itself does not play.
   */
  site: StandInLack | "never" | "converts";
};

type FilmContainer = { path: string; inspection: Pick<Inspection, "container" | "standsInFor"> };

/** Undefined: browsers may open the file. `lack`: null if the site makes stand-ins. */
export function closedContainerOf(
  { path, inspection: { container, standsInFor } }: FilmContainer,
  lack: StandInLack | null,
): ClosedContainer | undefined {
  const originalContainer = standsInFor ?? container;
  if (!Object.hasOwn(names, originalContainer)) return undefined;
  const site = isRemuxed(originalContainer) ? (lack ?? "converts") : "never";
  return { name: names[originalContainer as OtherContainer], extension: extensionOf(path), site };
}
