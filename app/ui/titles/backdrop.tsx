import { usePosterPath } from "./poster-path.ts";

type Props = {
  malId: number;
  /** A path of this site, or null. */
  banner: string | null;
};

/** The large picture of a page: the title's banner, or its blurred poster. */
export function Backdrop({ malId, banner }: Props) {
  return (
    <div className="hero-backdrop" aria-hidden="true">
      <img data-blurred src={usePosterPath(malId)(160)} width={160} height={229} alt="" />
      {banner !== null && <img src={banner} width={1600} height={445} alt="" fetchPriority="high" />}
    </div>
  );
}
