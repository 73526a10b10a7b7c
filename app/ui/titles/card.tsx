import type { ReactNode } from "react";
import { Link } from "react-router";
import { StarIcon } from "../icons/icons.tsx";
import { cardSizes, Poster } from "./poster.tsx";

/** What a card shows of a title. Loaders send only this. */
export type CardTitle = {
  malId: number;
  /** The page of the title. Its slug is not made of `name`, so a path from the displayed name would be redirected. */
  path: string;
  /** In the viewer's title language. */
  name: string;
  /** Set when the name is in Japanese. */
  lang?: "ja";
  type: string | null;
  year: number | null;
  episodes: number | null;
  score: number | null;
  /** The viewer's list status, score and progress. */
  listed?: string;
  /** In the viewer's score format. */
  ownScore?: string;
  seen?: number;
  /** The reason why the card is shown, in a few words. */
  why?: string;
};

type Props = { title: CardTitle; loading?: "lazy" | "eager"; children?: ReactNode };

export function cardFactsText({
  type,
  year,
  episodes,
}: Pick<CardTitle, "type" | "year" | "episodes">): string {
  return [type, year, episodes === null ? null : `${episodes} ep`]
    .filter((fact) => fact !== null)
    .join(" · ");
}

/** One link, one tab stop. The name comes first for screen readers; CSS puts the poster above it. */
export function Card({ title, loading = "lazy", children }: Props) {
  return (
    <Link className="card" to={title.path}>
      <span className="card-name" lang={title.lang}>
        {title.name}
      </span>
      <span className="card-facts">{cardFactsText(title) || "\u00a0"}</span>
      {title.why !== undefined && <span className="card-why">{title.why}</span>}
      <div className="card-poster">
        <Poster malId={title.malId} sizes={cardSizes} loading={loading} />
        {title.listed !== undefined && (
          <span className="badge" data-at="below">
            {title.listed}
            {title.ownScore !== undefined && (
              <>
                <span className="visually-hidden">, my score</span>
                <b className="own-score">{title.ownScore}</b>
              </>
            )}
          </span>
        )}
        <span className="badge" data-at="top-left">
          <StarIcon />
          <Score value={title.score} />
        </span>
        {title.seen !== undefined && title.seen > 0 && title.episodes !== null && (
          <progress className="edge" value={title.seen} max={title.episodes}>
            {title.seen} of {title.episodes} episodes seen
          </progress>
        )}
      </div>
      {children}
    </Link>
  );
}

export function Score({ value }: { value: number | null }) {
  if (value === null)
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">no score yet</span>
      </>
    );
  return (
    <>
      <span className="visually-hidden">score </span>
      {value.toFixed(2)}
    </>
  );
}

type GridProps = { titles: readonly CardTitle[]; label: string; eager?: number };

export function CardGrid({ titles, label, eager = 6 }: GridProps) {
  return (
    <div className="grid-frame">
      <ul className="grid" aria-label={label}>
        {titles.map((title, index) => (
          <li key={title.malId}>
            <Card title={title} loading={index < eager ? "eager" : "lazy"} />
          </li>
        ))}
      </ul>
    </div>
  );
}
