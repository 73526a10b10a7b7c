import { posterPath } from "#app/paths.ts";
import { useSiteData } from "../shell/site.ts";

/** The addresses of a title's poster by width. They change when an operator changes its picture. */
export function usePosterPath(malId: number): (widthPx: number) => string {
  const mark = useSiteData().newPictures[malId];
  return (widthPx) => posterPath(malId, widthPx, mark);
}
