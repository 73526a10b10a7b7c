import type { ReactNode } from "react";
import { browsePath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { Backdrop } from "#app/ui/titles/backdrop.tsx";
import { TitleFactItems } from "#app/ui/titles/card.tsx";
import type { HeroTitle } from "#app/ui/titles/hero.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";

type Props = {
  title: HeroTitle;
  /** "Airing · next on Sunday 15:30" */
  kicker: string | null;
  /** The next episode and the time until then, in place of the kicker. */
  countdown: ReactNode;
  otherNames: readonly { name: string; lang?: "ja" }[];
  ratingLabel: string | null;
  /** "641,705 votes, 2.1M members", or empty. */
  counts: string;
  /** The place in the franchise: "Part 3 of 6". */
  place: { text: string; path: string } | null;
  genres: readonly { text: string; to?: string }[];
  children: ReactNode;
};

const maxShortNameLength = 90;

export function TitleHead({
  title,
  kicker,
  countdown,
  otherNames,
  ratingLabel,
  counts,
  place,
  genres,
  children,
}: Props) {
  const { malId, drawnIn, name, lang, banner } = title;
  return (
    <div className="hero title-hero" data-long={name.length > maxShortNameLength || undefined}>
      <Backdrop malId={malId} banner={banner} />
      <div className="wrap hero-inner">
        <div className="hero-poster">
          <Poster
            malId={malId}
            drawnIn={drawnIn}
            sizes="(min-width: 1300px) 248px, (min-width: 590px) 19vw, 112px"
            loading="eager"
            priority
          />
        </div>
        <div className="hero-content">
          {(kicker ?? countdown) && (
            <p className="kicker">
              <span>{kicker ?? countdown}</span>
            </p>
          )}
          <h1 className="hero-title" lang={lang}>
            {name}
          </h1>
          {otherNames.length > 0 && (
            <p className="title-other">
              {otherNames.map((other, index) => (
                <span key={other.name} lang={other.lang}>
                  {index > 0 && " · "}
                  {other.name}
                </span>
              ))}
            </p>
          )}
          <ul className="facts">
            <TitleFactItems title={title} />
            {ratingLabel !== null && <li>{ratingLabel}</li>}
            {place !== null && (
              <li>
                <Link className="link" to={place.path}>
                  {place.text}
                </Link>
              </li>
            )}
            {counts !== "" && <li className="quiet">On other sites: {counts}</li>}
          </ul>
        </div>
        <div className="title-genres chips">
          {genres.map(({ text, to }) => (
            <Link key={text} className="chip" to={to ?? browsePath()}>
              {text}
            </Link>
          ))}
        </div>
        <div className="hero-actions">{children}</div>
      </div>
    </div>
  );
}
