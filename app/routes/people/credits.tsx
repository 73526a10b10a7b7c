import { Pager } from "#app/ui/pager.tsx";
import { type Portrait, PortraitGrid, PortraitPicture } from "#app/ui/people/portrait.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardGrid, type CardTitle } from "#app/ui/titles/card.tsx";

/** The parts that the pages of people and of characters share. */

type Name = { name: string; lang?: "ja" };

type Props = {
  head: Name & { other: Name | null; picture: string | null; facts: string };
  /** The people or characters beside the titles. */
  others: { heading: string; portraits: readonly Portrait[] };
  /** The titles of this page by year, the newest first. */
  years: readonly { year: string; titles: readonly CardTitle[] }[];
  page: number;
  lastPage: number;
};

type Matches = Parameters<typeof htmlMeta>[0];

/** `about` says in the description what the page lists. */
export const creditsMeta = (
  matches: Matches,
  page: (Pick<Props, "head"> & { path: string }) | undefined,
  { about, ...more }: { about: string; type?: "profile" },
) =>
  page === undefined
    ? []
    : htmlMeta(matches, {
        title: page.head.name,
        description: `${page.head.name}: ${about}. ${page.head.facts}.`,
        path: page.path,
        ...more,
        ...(page.head.picture !== null && { image: page.head.picture }),
      });

export function Credits({ head, others, years, page, lastPage }: Props) {
  return (
    <div className="wrap page">
      <header className="person-head">
        <PortraitPicture name={head.name} picture={head.picture} loading="eager" />
        <div>
          <h1 lang={head.lang}>{head.name}</h1>
          {head.other !== null && (
            <p className="title-other" lang={head.other.lang}>
              {head.other.name}
            </p>
          )}
          <p className="lead">{head.facts}</p>
        </div>
      </header>
      {others.portraits.length > 0 && (
        <section className="person-part" aria-labelledby="others">
          <h2 id="others">{others.heading}</h2>
          <PortraitGrid labelledBy="others" portraits={others.portraits} />
        </section>
      )}
      <div className="person-years">
        {years.map(({ year, titles }, index) => (
          <section key={year} className="person-part" aria-label={year}>
            <h2>{year}</h2>
            <CardGrid titles={titles} label={year} eager={index === 0 ? 6 : 0} />
          </section>
        ))}
      </div>
      <Pager page={page} lastPage={lastPage} />
    </div>
  );
}
