import { Form, Link } from "react-router";
import { wishesPath } from "#app/paths.ts";

/** What the button of the form sends and says; `note` says what became of earlier wishes. */
export type WishView = { note: string | null; button: { intent: string; label: string } | null };

/** Where the title has no film: what became of earlier wishes for it, and the form. */
export const Wish = ({ malId, path, note, button }: WishView & { malId: number; path: string }) => (
  <>
    {note && (
      <p>
        {note} <Link to={wishesPath()}>My wishes</Link>
      </p>
    )}
    {button && (
      <Form method="post" action={wishesPath()} preventScrollReset>
        <input type="hidden" name="id" value={malId} />
        <input type="hidden" name="redirectTo" value={path} />
        <button className="button" type="submit" name="intent" value={button.intent}>
          {button.label}
        </button>
      </Form>
    )}
  </>
);
