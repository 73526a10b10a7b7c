import type { ReactNode } from "react";
import { Link } from "../link.tsx";
import { Backdrop } from "./backdrop.tsx";
import { type CardTitle, TitleFactItems } from "./card.tsx";
import { Poster } from "./poster.tsx";

export type HeroTitle = CardTitle & {
  synopsis: string | null;
  /** A path of this site, or null. */
  banner: string | null;
};

type Props = { title: HeroTitle; kicker?: string | undefined; children: ReactNode };

export function Hero({ title, kicker, children }: Props) {
  const { malId, drawnIn, path, name, synopsis, banner } = title;
  return (
    <section className="hero" data-banner={banner !== null || undefined} aria-label="Featured">
      <Backdrop malId={malId} banner={banner} />
      <div className="wrap hero-inner">
        <div className="hero-content">
          {kicker !== undefined && <p className="kicker">{kicker}</p>}
          <h2 className="hero-title" lang={title.lang}>
            <Link to={path}>{name}</Link>
          </h2>
          <ul className="facts">
            <TitleFactItems title={title} />
          </ul>
          {synopsis !== null && <p className="hero-text">{synopsis}</p>}
          <div className="hero-actions">{children}</div>
        </div>
        {banner === null && (
          <div className="hero-poster">
            <Poster
              malId={malId}
              drawnIn={drawnIn}
              sizes="(min-width: 720px) 264px, 116px"
              loading="eager"
              priority
            />
          </div>
        )}
      </div>
    </section>
  );
}
