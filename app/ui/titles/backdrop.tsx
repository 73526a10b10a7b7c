import { posterPath } from "#app/paths.ts";

type Props = {
  malId: number;
  /** Already an address of ours, or null. */
  banner: string | null;
};

/** The one large picture of a page: the title's banner, else its poster out of focus. */
export function Backdrop({ malId, banner }: Props) {
  return (
    <div className="hero-backdrop" aria-hidden="true">
      <img data-blurred src={posterPath(malId, 160)} width={160} height={229} alt="" />
      {banner !== null && <img src={banner} width={1600} height={445} alt="" fetchPriority="high" />}
    </div>
  );
}
