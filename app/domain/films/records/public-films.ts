type Settings = { hasFilms: boolean; FILMS?: "members" | "everyone" | undefined };

/**
 * The warning that strangers can watch all films, shown at startup, in `npm run config` and to operators. Null if they
 * cannot.
 */
export function filmsForAnybodyText({ hasFilms, FILMS }: Settings, mayAnybodySignUp: boolean): string | null {
  if (!hasFilms) return null;
  if (FILMS === "everyone")
    return "everybody who reaches the site can watch your videos. To prevent this, remove FILMS=everyone";
  return mayAnybodySignUp
    ? "anybody who signs up can watch your videos. To prevent this, choose on the page Setup who may join, or set SIGNUPS=invite"
    : null;
}
