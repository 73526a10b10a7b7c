import { isDeepStrictEqual } from "node:util";
import { type Env, env } from "./process/env.server.ts";

/**
 * Settings that an operator can also choose on the site, if the environment does not set them. The database stores the
 * choices; requests read this copy.
 */
type SignUps = NonNullable<Env["SIGNUPS"]>;
type Visitors = NonNullable<Env["VISITORS"]>;
export type ChosenSettings = {
  signUps: SignUps | null;
  visitors: Visitors | null;
  /** Null: nobody is asked for details of titles, and those that were stored are deleted. */
  details: boolean | null;
};

export const nothingChosen: ChosenSettings = { signUps: null, visitors: null, details: null };
let chosen = nothingChosen;

const listeners = new Set<() => void>();

/** Calls `onChange` after each change, for caches whose answers become stale. */
export const onSettingsChange = (onChange: () => void): void => void listeners.add(onChange);

/** Stores the settings. Returns true if one of them changed: any of them may decide what a cached page says. */
export function takeChosenSettings(next: ChosenSettings): boolean {
  const isChanged = !isDeepStrictEqual(next, chosen);
  chosen = next;
  if (isChanged) for (const onChange of listeners) onChange();
  return isChanged;
}

/** Undefined if neither the environment nor an operator decides who may sign up. */
export const signUpsSetting = (): SignUps | undefined => env.SIGNUPS ?? chosen.signUps ?? undefined;

/** True if visitors get only the pages that signing in and signing up need. */
export const isClosedSite = (): boolean => (env.VISITORS ?? chosen.visitors ?? "yes") === "no";

/** True if an operator turned details of titles on, and the environment does not forbid them. */
export const areDetailsOn = (): boolean => env.DETAILS && chosen.details === true;
