import { signInPath } from "#app/paths.ts";
import { InfoIcon } from "../icons/icons.tsx";
import { Link } from "../link.tsx";

/** The words with which pages ask visitors to sign in. */

/** Shown to visitors where only members see films. It says the same for every title, whether it has a film or not. */
export const FilmsForMembers = ({ path }: { path: string }) => (
  <section className="notice watch-empty" aria-label="Video">
    <InfoIcon />
    <p>
      <b>Videos here are for members</b>
      Sign in to see what can be watched.
    </p>
    <Link className="button" data-kind="primary" to={signInPath({ redirectTo: path })}>
      Sign in
    </Link>
  </section>
);

/** Tells visitors, where there is no film, what members can do there. */
export const ListsForMembers = ({ path }: { path: string }) => (
  <>
    Members can keep a list and record what they have seen.{" "}
    <Link className="link" to={signInPath({ redirectTo: path })}>
      Sign in
    </Link>
  </>
);
