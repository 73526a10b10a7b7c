import { posterPathsOf } from "#app/paths.ts";
import { useSiteData } from "../shell/site.ts";

/** Returns the address of a title's poster for each width. The address changes when an operator changes the picture. */
export const usePosterPath = (malId: number, drawnIn?: "en"): ((widthPx: number) => string) =>
  posterPathsOf(malId, useSiteData().newPictures[malId], drawnIn);
