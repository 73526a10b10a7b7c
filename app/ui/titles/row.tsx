import { Children, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { LeftIcon, RightIcon } from "../icons/icons.tsx";
import { Link } from "../link.tsx";
import { CardSheets, type CardTitle, cardItems } from "./card.tsx";

type Props = {
  title: string;
  /** The reason why the row is shown: "Because you liked Monster". */
  why?: string;
  /** The path of the page with all titles. */
  more?: string;
  shape?: "wide";
  children: ReactNode;
  /** The titles of the cards that have bookmarks. */
  titles?: readonly CardTitle[];
};

/** Up to this many cards fit on every screen that would show the buttons. For more cards, the page measures the line. */
const maxWithoutButtons = 3;

/** A line of cards that scrolls by touch, wheel and keyboard. The buttons are for a mouse without a sideways wheel. */
export function Row({ title, why, more, shape, children, titles }: Props) {
  const id = useId();
  const track = useRef<HTMLUListElement>(null);
  const count = Children.count(children);
  const [isScrollable, setIsScrollable] = useState(count > maxWithoutButtons);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of cards has another width
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      // Both are rounded, so a line that just fits can seem a pixel too wide.
      if (entry) setIsScrollable(entry.target.scrollWidth > entry.target.clientWidth + 1);
    });
    if (track.current) observer.observe(track.current);
    return () => observer.disconnect();
  }, [count]);
  const scroll = (direction: -1 | 1) =>
    track.current?.scrollBy({ left: direction * track.current.clientWidth * 0.85 });
  return (
    <section className="row" aria-labelledby={id}>
      <div className="row-head">
        <div>
          <h2 id={id}>{title}</h2>
          {why !== undefined && <p className="row-why">{why}</p>}
        </div>
        {more !== undefined && (
          <Link className="link" to={more}>
            See all<span className="visually-hidden"> of {title}</span>
          </Link>
        )}
        <div className="row-buttons" hidden={!isScrollable}>
          <button type="button" className="icon-button" onClick={() => scroll(-1)}>
            <LeftIcon />
            <span className="visually-hidden">Scroll {title} back</span>
          </button>
          <button type="button" className="icon-button" onClick={() => scroll(1)}>
            <RightIcon />
            <span className="visually-hidden">Scroll {title} forward</span>
          </button>
        </div>
      </div>
      <ul className="row-track" data-shape={shape} ref={track}>
        {children}
      </ul>
      {titles && <CardSheets titles={titles} />}
    </section>
  );
}

type CardRowProps = Omit<Props, "children" | "shape" | "titles"> & {
  titles: readonly CardTitle[];
  eager?: boolean;
};

export const CardRow = ({ eager = false, ...row }: CardRowProps) => (
  <Row {...row}>{cardItems({ titles: row.titles, eager: eager ? 6 : 0 })}</Row>
);
