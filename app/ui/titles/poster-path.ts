import { posterPathsOf } from "#app/paths.ts";
import { useSiteData } from "../shell/site.ts";

/** The addresses of a title's poster by width. They change when an operator changes its picture. */
export const usePosterPath = (malId: number): ((widthPx: number) => string) =>
  posterPathsOf(malId, useSiteData().newPictures[malId]);
