type Settings = { MEDIA_DIR?: string | undefined; FILMS?: "members" | "everyone" | undefined };

/**
 * The warning that strangers can watch all films, given at startup, in `npm run config` and to operators. Null: they
 * cannot.
 */
export function openFilmsText({ MEDIA_DIR, FILMS }: Settings, mayAnybodySignUp: boolean): string | null {
  if (MEDIA_DIR === undefined) return null;
  if (FILMS === "everyone")
    return "everybody who reaches the site can watch the films in MEDIA_DIR. To prevent this, remove FILMS=everyone";
  return mayAnybodySignUp
    ? "anybody who signs up can watch the films in MEDIA_DIR. To prevent this, choose on the page Setup who may join, or set SIGNUPS=invite"
    : null;
}
