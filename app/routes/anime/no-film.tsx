import { Form, Link } from "react-router";
import { wishesPath } from "#app/paths.ts";
import { InfoIcon } from "#app/ui/icons/icons.tsx";

/** What the button of the form sends and says; `note` says what became of earlier wishes. */
export type WishView = { note: string | null; button: { intent: string; label: string } | null };

type NoFilmProps = {
  malId: number;
  path: string;
  heading: string;
  text: string;
  /** Null for those who cannot wish for films. */
  wish: WishView | null;
};

/** In the place of the film, where the title has none. The server makes the texts, which are no script then. */
export const NoFilm = ({ malId, path, heading, text, wish }: NoFilmProps) => (
  <section className="notice" aria-label="Video">
    <InfoIcon />
    <div className="stack">
      <p role="status">
        <b>{heading}</b>
        {text} {wish?.note} {wish?.note && <Link to={wishesPath()}>My wishes</Link>}
      </p>
      {wish?.button && (
        <Form method="post" action={wishesPath()} preventScrollReset>
          <input type="hidden" name="id" value={malId} />
          <input type="hidden" name="redirectTo" value={path} />
          <button className="button" type="submit" name="intent" value={wish.button.intent}>
            {wish.button.label}
          </button>
        </Form>
      )}
    </div>
  </section>
);
