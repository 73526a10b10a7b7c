import {
  defaultPreferences,
  mayShowMature,
  type Preferences,
  type SessionUser,
} from "../domain/accounts/accounts.ts";
import { japan, visitorOfCookies } from "../domain/visitor/visitor.ts";
import type { Context } from "./context.server.ts";
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
  const preferences = user === null ? visitor : { ...defaultPreferences, ...user.preferences };
  return {
    user,
    preferences,
    showsMature: user === null ? !visitor.parentalControl : mayShowMature(user),
    timeZone: preferences.timeZone ?? visitor.timeZone ?? japan,
  };
}
