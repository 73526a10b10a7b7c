import { Suspense } from "react";
import { BookmarkIcon, StarIcon } from "../icons/icons.tsx";
import { late } from "../late.tsx";
import { Link } from "../link.tsx";
import { lonelyCardAt } from "../lonely-card.ts";
import { useSiteData } from "../shell/site.ts";
import { cardSizes, Poster } from "./poster.tsx";

/** Loaded only for members, because visitors have no list. */
const CardBookmarks = late(() => import("./card-bookmarks.tsx").then((part) => part.CardBookmarks));

/** The facts about a title that a card shows. Loaders send only these. */
export type CardTitle = {
  malId: number;
  /**
   * The path of the title's page. Its slug may differ from `name`; a path built from the displayed name would be
   * redirected.
   */
  path: string;
  /** In the viewer's title language. */
  name: string;
  /** Set when the name is in Japanese. */
  lang?: "ja";
  /** Set if the poster is drawn and the English name is not the catalog's own. */
  drawnIn?: "en";
  type: string | null;
  year: number | null;
  episodes: number | null;
  score: number | null;
  /** "from 3 Oct", for an announced title without a score. */
  begins?: string;
  /** The viewer's list status and progress. */
  listed?: string;
  /** In the viewer's score format. */
  ownScore?: string;
  /** The stored score, without a format. */
  ownPoints?: number;
  seen?: number;
  /** The viewer has dismissed the title from suggestions. */
  isDismissed?: true;
  /** The reason why the card is shown, in a few words. */
  why?: string;
};

type Props = {
  title: CardTitle;
  loading: "lazy" | "eager";
  /** The household owner's verdict for the children. */
  verdict?: string | undefined;
};

/** That a movie has one episode says nothing. */
export const hasEpisodeCount = ({ type, episodes }: Pick<CardTitle, "type" | "episodes">) =>
  episodes !== null && !(type === "Movie" && episodes === 1);

export function cardFactsText({
  type,
  year,
  episodes,
}: Pick<CardTitle, "type" | "year" | "episodes">): string {
  return [type, year, hasEpisodeCount({ type, episodes }) ? `${episodes} ep` : null]
    .filter((fact) => fact !== null)
    .join(" · ");
}

/** The card is one link and one tab stop. The name comes first for screen readers; CSS puts the poster above it. */
export function Card({ title, loading, verdict }: Props) {
  return (
    <Link className="card" to={title.path}>
      <span className="card-name" lang={title.lang}>
        {title.name}
      </span>
      <span className="card-facts">{cardFactsText(title) || "\u00a0"}</span>
      {title.why !== undefined && <span className="card-why">{title.why}</span>}
      {verdict !== undefined && <span className="card-why">Children: {verdict}</span>}
      <div className="card-poster">
        <Poster malId={title.malId} drawnIn={title.drawnIn} sizes={cardSizes} loading={loading} />
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
        {title.score !== null && (
          <span className="badge" data-at="top-left">
            <StarIcon />
            <Score value={title.score} />
          </span>
        )}
        {title.score === null && title.begins !== undefined && (
          <span className="badge" data-at="top-left">
            {title.begins}
          </span>
        )}
        {title.seen !== undefined && title.seen > 0 && title.episodes !== null && title.episodes > 1 && (
          <>
            <span className="visually-hidden">
              , at episode {title.seen} of {title.episodes}
            </span>
            <progress className="edge" value={title.seen} max={title.episodes} aria-hidden="true" />
          </>
        )}
      </div>
    </Link>
  );
}

const Score = ({ value }: { value: number }) => (
  <>
    <span className="visually-hidden">score </span>
    {value.toFixed(2)}
  </>
);

/** A card and its controls for the viewer. Without scripts, the bookmark leads to the fields on the title's page. */
function CardItem({ title, loading, isLast }: Omit<Props, "verdict"> & { isLast: boolean }) {
  const { user, forChildren } = useSiteData();
  return (
    <li data-last={isLast || undefined}>
      <Card title={title} loading={loading} verdict={forChildren?.[title.malId]} />
      {user && <Bookmark title={title} />}
    </li>
  );
}

const Bookmark = ({ title: { path, name, listed } }: Pick<Props, "title">) => (
  <Link
    className="card-bookmark"
    data-on={listed && ""}
    to={`${path}#my-list`}
    aria-label={`My list: ${name}`}
    aria-haspopup="dialog"
  >
    <BookmarkIcon />
  </Link>
);

type ItemsProps = { titles: readonly CardTitle[]; eager: number };

export const cardItems = ({ titles, eager }: ItemsProps) =>
  titles.map((title, index) => (
    <CardItem
      key={title.malId}
      title={title}
      loading={index < eager ? "eager" : "lazy"}
      isLast={index === titles.length - 1}
    />
  ));

/** The sheets that the bookmarks of a member's cards open. They stand beside the list of cards, not inside it. */
export const CardSheets = ({ titles }: Pick<ItemsProps, "titles">) =>
  useSiteData().user && (
    <Suspense>
      <CardBookmarks titles={titles} />
    </Suspense>
  );

type GridProps = {
  titles: readonly CardTitle[];
  label: string;
  eager?: number;
  /** On phones, shows lines with a small poster, for long lists. */
  hasLines?: boolean;
};

export const CardGrid = ({ titles, label, eager = 6, hasLines = false }: GridProps) => (
  <div className="grid-frame">
    <ul
      className="grid"
      aria-label={label}
      data-lonely={lonelyCardAt(titles.length)}
      data-lines={hasLines || undefined}
    >
      {cardItems({ titles, eager })}
    </ul>
    <CardSheets titles={titles} />
  </div>
);

/** The first facts in the large head of a title: score, type, year and length. */
export const TitleFactItems = ({ title: { type, year, episodes, score } }: { title: CardTitle }) => (
  <>
    {score !== null && (
      <li>
        <StarIcon />
        <Score value={score} />
      </li>
    )}
    {type !== null && <li>{type}</li>}
    {year !== null && <li>{year}</li>}
    {hasEpisodeCount({ type, episodes }) && <li>{episodes === 1 ? "1 episode" : `${episodes} episodes`}</li>}
  </>
);
