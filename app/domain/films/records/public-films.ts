import { closeSignUpText } from "#app/domain/joining/joining.ts";
import type { Env } from "#app/platform/process/env.server.ts";

type Settings = { hasFilms: boolean } & Partial<Pick<Env, "FILMS" | "SIGNUPS">>;

/**
 * The warning that strangers can watch all films, shown at startup, in `npm run config` and to operators. Null if they
 * cannot.
 */
export function filmsForAnybodyText(
  { hasFilms, FILMS, SIGNUPS }: Settings,
  mayAnybodySignUp: boolean,
): string | null {
  if (!hasFilms) return null;
  if (FILMS === "everyone")
    return "everybody who reaches the site can watch your videos. To prevent this, remove FILMS=everyone";
  return mayAnybodySignUp
    ? `anybody who signs up can watch your videos. To prevent this, ${closeSignUpText({ SIGNUPS })}`
    : null;
}
