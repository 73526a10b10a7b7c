import { usePosterPath } from "./poster-path.ts";

const widthsPx = [160, 240, 320, 480, 640];

/** The width of a card in a grid or row, for each number of columns in card.css. */
export const cardSizes = "(min-width: 1200px) 200px, (min-width: 720px) 22vw, (min-width: 480px) 29vw, 44vw";

type Props = {
  malId: number;
  sizes: string;
  /** Set if the poster is drawn and its card shows another name than the catalog's own. */
  drawnIn?: "en" | undefined;
  /** Pictures of the first screen are loaded eagerly, and the largest of them with priority. */
  loading?: "lazy" | "eager";
  priority?: boolean;
};

export function Poster({ malId, sizes, drawnIn, loading = "lazy", priority = false }: Props) {
  const pathOf = usePosterPath(malId, drawnIn);
  return (
    <img
      src={pathOf(320)}
      srcSet={widthsPx.map((widthPx) => `${pathOf(widthPx)} ${widthPx}w`).join(", ")}
      sizes={sizes}
      width={350}
      height={500}
      alt=""
      loading={loading === "lazy" ? "lazy" : undefined}
      fetchPriority={priority ? "high" : undefined}
      decoding="async"
    />
  );
}
