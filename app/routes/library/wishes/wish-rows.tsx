import { Form } from "react-router";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type CardTitle, cardFactsText } from "#app/ui/titles/card.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";

export type WishRow = Pick<
  CardTitle,
  "malId" | "path" | "name" | "lang" | "drawnIn" | "type" | "year" | "episodes"
> & {
  /** The wished episode; null for the title. */
  wished: number | null;
  /** "Wished on 3 March 2026 · here since 9 March 2026" */
  story: string;
  /** Plays the film of a fulfilled wish. */
  watch: { label: string; path: string } | null;
};

type ButtonProps = { intent: "wish" | "take-back"; label: string };
type Props = ButtonProps & { wishes: readonly WishRow[] };

/** Wishes, each with the button that sends its `id` to the page. */
export const WishRows = ({ wishes, ...button }: Props) => (
  <ul>
    {wishes.map((wish) => (
      <Row key={`${wish.malId}/${wish.wished}`} wish={wish} {...button} />
    ))}
  </ul>
);

const Row = ({ wish, intent, label }: ButtonProps & { wish: WishRow }) => (
  <li ref={useFocusPassedOn()} className="wish-row">
    <Link className="list-row-title" to={wish.path}>
      <Poster malId={wish.malId} drawnIn={wish.drawnIn} sizes="64px" />
      <span>
        <span className="list-row-name" lang={wish.lang}>
          {wish.name}
        </span>
        <span className="quiet">{wish.wished === null ? cardFactsText(wish) : `Episode ${wish.wished}`}</span>
        <span className="wish-story">{wish.story}</span>
      </span>
    </Link>
    <div className="wish-buttons">
      {wish.watch && (
        <Link className="button" data-kind="primary" data-size="small" to={wish.watch.path}>
          <PlayIcon />
          {wish.watch.label}
          <WishedName {...wish} />
        </Link>
      )}
      <Form method="post">
        <input type="hidden" name="id" value={wish.malId} />
        {wish.wished !== null && <input type="hidden" name="episode" value={wish.wished} />}
        <button
          className="button"
          data-kind="ghost"
          data-size="small"
          type="submit"
          name="intent"
          value={intent}
        >
          {label}
          <WishedName {...wish} />
        </button>
      </Form>
    </div>
  </li>
);

/** Two wishes for episodes of one title have buttons that are told apart. */
const WishedName = ({ name, wished }: Pick<WishRow, "name" | "wished">) => (
  <span className="visually-hidden">
    {" "}
    {name}
    {wished !== null && `, episode ${wished}`}
  </span>
);
