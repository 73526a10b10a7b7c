import { Form } from "react-router";
import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type CardTitle, cardFactsText } from "#app/ui/titles/card.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";

export type WishRow = Pick<
  CardTitle,
  "malId" | "path" | "name" | "lang" | "drawnIn" | "type" | "year" | "episodes"
> & {
  /** "Wished on 3 March 2026 · here since 9 March 2026" */
  story: string;
  /** Plays the film of a fulfilled wish. */
  watch: { label: string; path: string } | null;
};

type Props = { wishes: readonly WishRow[]; intent: "wish" | "take-back"; label: string };

/** Wishes, each with the button that sends its `id` to the page. */
export const WishRows = ({ wishes, intent, label }: Props) => (
  <ul className="wish-rows">
    {wishes.map((wish) => (
      <li key={wish.malId} className="wish-row">
        <Link className="list-row-title" to={wish.path}>
          <Poster malId={wish.malId} drawnIn={wish.drawnIn} sizes="64px" />
          <span>
            <span className="list-row-name" lang={wish.lang}>
              {wish.name}
            </span>
            <span className="quiet">{cardFactsText(wish)}</span>
            <span className="wish-story">{wish.story}</span>
          </span>
        </Link>
        <div className="wish-buttons">
          {wish.watch && (
            <Link className="button" data-kind="primary" data-size="small" to={wish.watch.path}>
              <PlayIcon />
              {wish.watch.label}
              <span className="visually-hidden"> {wish.name}</span>
            </Link>
          )}
          <Form method="post">
            <input type="hidden" name="id" value={wish.malId} />
            <button
              className="button"
              data-kind="ghost"
              data-size="small"
              type="submit"
              name="intent"
              value={intent}
            >
              {label}
              <span className="visually-hidden"> {wish.name}</span>
            </button>
          </Form>
        </div>
      </li>
    ))}
  </ul>
);
