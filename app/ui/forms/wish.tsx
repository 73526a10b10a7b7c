import { Form } from "react-router";
import { wishesPath } from "#app/paths.ts";
import { Link } from "../link.tsx";

/** The label and intent of the form's button. `note` describes the state of earlier wishes. */
export type WishView = {
  episode: number | null;
  note: string | null;
  button: { intent: string; label: string } | null;
};

/** Replaces the play button where a title or an episode has no film. The form leads back to `path`. */
export const Wish = ({ malId, episode, path, note, button }: WishView & { malId: number; path: string }) => (
  <div className="wish">
    {button && (
      <Form method="post" action={wishesPath()} preventScrollReset>
        <input type="hidden" name="id" value={malId} />
        {episode !== null && <input type="hidden" name="episode" value={episode} />}
        <input type="hidden" name="redirectTo" value={path} />
        <button
          className="button"
          data-kind={button.intent === "wish" ? "primary" : "glass"}
          type="submit"
          name="intent"
          value={button.intent}
        >
          {button.label}
        </button>
      </Form>
    )}
    <p>
      {/* Also without a note: a screen reader reads a status aloud when its text changes. */}
      <span role="status">{note}</span>
      {note && (
        <>
          {" "}
          <Link className="link" to={wishesPath()}>
            My wishes
          </Link>
        </>
      )}
    </p>
  </div>
);
