import {
  defaultPreferences,
  mayShowMature,
  type Preferences,
  type SessionUser,
} from "../domain/accounts/accounts.ts";
import { japan, visitorCookie, visitorOfCookies } from "../domain/visitor/visitor.ts";
import { type Context, clientContext } from "./context.server.ts";
import { findUser } from "./guard.server.ts";

/** Who looks at a page, and how they like it: an account's stored preferences win over the visitor's cookie. */
export type Viewer = {
  user: SessionUser | null;
  preferences: Preferences;
  showsMature: boolean;
  timeZone: string;
};

export const visitorOf = (request: Request): Preferences =>
  visitorOfCookies(request.headers.get("Cookie") ?? "");

export async function viewerOf(request: Request, context: Context): Promise<Viewer> {
  const user = await findUser(request, context);
  const visitor = visitorOf(request);
  const stored = user === null ? visitor : { ...defaultPreferences, ...user.preferences };
  const preferences = { ...stored, timeZone: stored.timeZone ?? visitor.timeZone };
  return {
    user,
    preferences,
    showsMature: user === null ? !visitor.parentalControl : mayShowMature(user),
    timeZone: preferences.timeZone ?? japan,
  };
}

/**
 * The account's preferences, put where its browser keeps the visitor's: at sign-in and whenever they are saved. The
 * time zone alone stays the browser's own until the account names one.
 */
export function visitorCookieOf(preferences: Preferences, request: Request, context: Context): string {
  const timeZone = preferences.timeZone ?? visitorOf(request).timeZone;
  const isSecure = context.get(clientContext).origin.startsWith("https:");
  return visitorCookie({ ...preferences, timeZone }, isSecure);
}
