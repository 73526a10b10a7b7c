import { data } from "react-router";
import { profilesPath, signInPath } from "#app/paths.ts";

/** Keeps what somebody has typed for long when the session has ended before it is saved. */

export const signInFirst = "In another tab, sign in or choose your profile. Then save again.";

const isToSignIn = (thrown: unknown): boolean => {
  const target = thrown instanceof Response ? (thrown.headers.get("Location") ?? "") : "";
  return [signInPath(), profilesPath()].includes(target.replace(/[?#].*/, ""));
};

/** The client action of a page with a long form. A redirect to the sign-in page or to the profiles would empty the form. */
export const keepText = <Answer>({ serverAction }: { serverAction(): Promise<Answer> }) =>
  serverAction().catch((thrown: unknown) => {
    if (!isToSignIn(thrown)) throw thrown;
    // With this status the router does not reload the page's data, which would lead to the sign-in page too.
    return data({ message: `Not saved. ${signInFirst}`, issues: [], typed: {} }, 401);
  });
