import { posterPath } from "#app/paths.ts";

const widthsPx = [160, 240, 320, 480, 640];

/** As wide as a card of the grid or of a row is shown, at each step of their columns. */
export const cardSizes = "(min-width: 1200px) 200px, (min-width: 720px) 22vw, (min-width: 480px) 29vw, 44vw";

type Props = {
  malId: number;
  sizes: string;
  /** Pictures of the first screen come at once, the largest of it first of all. */
  loading?: "lazy" | "eager";
  priority?: boolean;
};

export function Poster({ malId, sizes, loading = "lazy", priority = false }: Props) {
  return (
    <img
      src={posterPath(malId, 320)}
      srcSet={widthsPx.map((widthPx) => `${posterPath(malId, widthPx)} ${widthPx}w`).join(", ")}
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
