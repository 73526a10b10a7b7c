import type { eventActors, eventKinds } from "#db/schema/enumerations.ts";

export type EventKind = (typeof eventKinds)[number];
export type EventActor = (typeof eventActors)[number];

/**
 * Events are deleted after this many days. The site's health finds the date of the last backup in them and warns after
 * 30 days, so it must be at least 30.
 */
export const eventDays = 90;

/** A title in the detail of an event. Several titles may have the same name. */
export const titleInEvent = (title: string, malId: number): string =>
  `${title.slice(0, 80)} (catalog number ${malId})`;

/** Each event as a sentence without its subject. */
export const eventTexts = {
  sign_up: "Created the account",
  sign_in: "Signed in",
  sign_in_new_network: "Signed in from a network that was not used before",
  sign_ins_failed: "Wrong passwords",
  password_changed: "Changed the password",
  password_reset: "Set a new password with a link",
  email_changed: "Changed the e-mail address",
  reset_link_made: "Made a link to set a new password",
  token_made: "Created an access token",
  token_revoked: "Revoked an access token",
  session_ended: "Signed out another device",
  sessions_ended: "Signed out all other devices",
  provider_linked: "Connected the sign-in provider",
  operator_added: "Gave the operator role",
  operator_removed: "Removed the operator role",
  account_disabled: "Disabled the account",
  account_enabled: "Enabled the account",
  birthday_removed: "Removed the birthday, which said that the member is under 18",
  profile_added: "Added a profile",
  profile_deleted: "Deleted a profile with its lists and histories",
  profile_left: "Made a profile an account of its own",
  ceiling_changed: "Changed what a profile may watch",
  device_confirmed: "Signed in another device from this one",
  invitation_made: "Made an invitation",
  invitation_revoked: "Revoked an invitation",
  pin_changed: "Changed the PIN of a profile",
  pins_failed: "Wrong PINs of a profile",
  account_deleted: "Deleted an account",
  account_exported: "Downloaded all data of the account",
  account_imported: "Imported a file into the account",
  source_headers_changed: "Changed the headers of a video",
  hook_made: "Made a secret with which programs say that videos came",
  hook_revoked: "Revoked a secret with which programs say that videos came",
  catalog_imported: "Imported titles into the catalog",
  title_edited: "Changed a title or its videos",
  local_title_replaced: "Made a local title the same as one of the catalog",
  settings_changed: "Changed a setting of the site",
  backup_made: "Made a backup",
  backup_restored: "Restored a backup",
} as const satisfies Record<EventKind, string>;
