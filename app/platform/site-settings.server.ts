import { type Env, env } from "./process/env.server.ts";

/**
 * Settings that an operator can also choose on the site, if the environment does not set them. The database keeps what was
 * chosen; requests read this copy.
 */
type SignUps = NonNullable<Env["SIGNUPS"]>;
type Visitors = NonNullable<Env["VISITORS"]>;
export type ChosenSettings = { signUps: SignUps | null; visitors: Visitors | null };

let chosen: ChosenSettings = { signUps: null, visitors: null };

const listeners = new Set<() => void>();

/** For a cache of answers, which would go on giving those of before. */
export const onSettingsChange = (onChange: () => void): void => void listeners.add(onChange);

/** Returns whether this changes what the site answers. */
export function takeChosenSettings(next: ChosenSettings): boolean {
  const before = JSON.stringify([signUpsSetting(), isClosedSite()]);
  chosen = next;
  const isChanged = JSON.stringify([signUpsSetting(), isClosedSite()]) !== before;
  if (isChanged) for (const onChange of listeners) onChange();
  return isChanged;
}

/** Undefined: neither the environment nor an operator says who may sign up. */
export const signUpsSetting = (): SignUps | undefined => env.SIGNUPS ?? chosen.signUps ?? undefined;

/** Whether visitors get nothing but what signing in and signing up need. */
export const isClosedSite = (): boolean => (env.VISITORS ?? chosen.visitors ?? "yes") === "no";
