import {
  canSeeMatureTitles,
  defaultPreferences,
  isChild,
  type Preferences,
  type SessionUser,
} from "#app/domain/accounts/accounts.ts";
import { japanTimeZone } from "#app/domain/calendar/calendar.ts";
import { type ChildKey, childKeyOf } from "#app/domain/proxy/proxy.server.ts";
import { createViewer, seesFilms, type Viewer } from "#app/domain/visibility/visibility.server.ts";
import {
  type TitleLanguage,
  titleLanguageOf,
  visitorCookie,
  visitorPreferencesOf,
} from "#app/domain/visitor/visitor.ts";
import { type Context, clientContext, isSecureIn } from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { carriesToken } from "#app/http/guards/bearer-token.ts";
import { carriesRestrictedSession } from "#app/http/guards/session-cookie.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { findUser, findUserOrTokenUser, getCurrentUser } from "./guards/guard.server.ts";

/**
 * Finds out who a request is answered for. A request's viewer, which says which parts of the catalog it may see, is
 * created only in this file: from the session, the token, the visitor's cookie and the query.
 */

/** The title language is that of the page: the reader's choice, or else one that the browser asks for. */
export type PagePreferences = Omit<Preferences, "titleLanguage"> & { titleLanguage: TitleLanguage };

export const titleLanguageFor = (request: Request, preferences: Preferences): TitleLanguage =>
  titleLanguageOf(preferences, request.headers.get("Accept-Language"));

/** The title language of the member who is signed in, for pages behind a guard. */
export const memberTitleLanguage = (request: Request, context: Context): TitleLanguage =>
  titleLanguageFor(request, getCurrentUser(context).preferences);

/** The member or visitor that a page is rendered for. A member's stored preferences override the visitor's cookie. */
type Visit = {
  user: SessionUser | null;
  preferences: PagePreferences;
  /** `browser` if the reader has chosen no title language. */
  chosenTitleLanguage: Preferences["titleLanguage"];
  viewer: Viewer;
  timeZone: string;
  /** True for a visitor who would see films after signing in. */
  filmsNeedSignIn: boolean;
};

export const visitorPreferencesOfRequest = (request: Request): Preferences =>
  visitorPreferencesOf(request.headers.get("Cookie") ?? "");

export async function getVisit(request: Request, context: Context): Promise<Visit> {
  const user = await findUser(request, context);
  const visitor = visitorPreferencesOfRequest(request);
  const stored = user === null ? visitor : { ...defaultPreferences, ...user.preferences };
  const preferences = {
    ...stored,
    timeZone: stored.timeZone ?? visitor.timeZone,
    titleLanguage: titleLanguageFor(request, stored),
  };
  const viewer = user === null ? visitorViewer(context, visitor.parentalControl) : viewerOf(user);
  return {
    user,
    preferences,
    chosenTitleLanguage: stored.titleLanguage,
    viewer,
    timeZone: preferences.timeZone ?? japanTimeZone,
    filmsNeedSignIn: user === null && !seesFilms(viewer),
  };
}

/** The titles and films that a member may see, independent of the request's parameters. */
export const viewerOf = (user: SessionUser): Viewer =>
  createViewer({
    parentalControl: !canSeeMatureTitles(user),
    isMember: true,
    watchesFilms: true,
    ...(user.ceiling !== null && {
      ceiling: { limit: user.ceiling, accountId: user.accountId, chosenAt: user.titlesChosenAt },
    }),
  });

/** Whether the request may come from a child's profile. If so, its session has to be read. */
export const mayBeOfChild = (request: Request): boolean =>
  carriesRestrictedSession(request.headers.get("Cookie"));

/** The child whose session the request carries. The mark of its cookie is not verified, so the session decides. */
export async function findChild(request: Request, context: Context) {
  const user = mayBeOfChild(request) ? await findUser(request, context) : null;
  return user && isChild(user) ? { user, viewer: viewerOf(user) } : null;
}

/** For addresses of a title that only this child's session may play. Undefined if the request is not from a child. */
export async function childOf(
  request: Request,
  context: Context,
  malId: number,
): Promise<ChildKey | undefined> {
  const child = await findChild(request, context);
  return child ? childKeyOf(child.user, malId) : undefined;
}

/**
 * FILMS decides whether visitors see the films. If it is unset, only visitors on the machine of a site in local mode
 * do.
 */
export function visitorViewer(context: Context, parentalControl: boolean): Viewer {
  const { isFromOwnMachine } = context.get(clientContext);
  const watchesFilms = env.FILMS === undefined ? isFromOwnMachine : env.FILMS === "everyone";
  return createViewer({ parentalControl, ...(watchesFilms && { watchesFilms }) });
}

/**
 * The API's viewer for this request. With parental control in the query, only a child's session is read: the answer is
 * then the same for everybody else, and the public cache can store it. An access token is always checked.
 */
export async function apiViewer(
  request: Request,
  context: Context,
  parentalControl: boolean,
): Promise<Viewer> {
  const visitor = visitorViewer(context, parentalControl);
  if (parentalControl && !carriesToken(request) && !mayBeOfChild(request)) return visitor;
  const user = await findUserOrTokenUser(request, context);
  if (user !== null && isChild(user)) return viewerOf(user);
  return parentalControl || !user ? visitor : viewerOf(user);
}

/** Whether answers that contain films depend on the session. */
export const filmsNeedSession = env.FILMS !== "everyone";

type FilmViewer = {
  viewer: Viewer;
  /** The member for whom film addresses are signed. */
  member: SessionUser | null;
};

/** The same for answers that contain films: the session is read unless everybody sees the films. */
export async function apiFilmViewer(
  request: Request,
  context: Context,
  parentalControl: boolean,
): Promise<FilmViewer> {
  const viewer = await apiViewer(request, context, parentalControl);
  const member = filmsNeedSession ? await findUserOrTokenUser(request, context) : null;
  if (seesFilms(viewer) || member === null) return { viewer, member };
  return { viewer: createViewer({ ...viewerOf(member), parentalControl: true }), member };
}

/** The same for lists of titles. Only clients that see films may ask for the titles that have some. */
export async function apiListViewer(
  request: Request,
  context: Context,
  { parentalControl, filters }: { parentalControl: boolean; filters?: { playable?: boolean } },
): Promise<Viewer> {
  if (filters?.playable !== true) return apiViewer(request, context, parentalControl);
  const { viewer } = await apiFilmViewer(request, context, parentalControl);
  if (!seesFilms(viewer)) throw fail("unauthorized");
  return viewer;
}

/**
 * The `visitor` cookie with a member's preferences, set at sign-in and when preferences are saved. The browser's own
 * time zone stays until the member chooses one. `formerTimeZone` is the account's time zone before the change: the
 * cookie still contains it, and it would be mistaken for the browser's.
 */
export function visitorCookieFor(
  preferences: Preferences,
  request: Request,
  context: Context,
  formerTimeZone: string | null = null,
): string {
  const cookieZone = visitorPreferencesOfRequest(request).timeZone;
  const timeZone = preferences.timeZone ?? (cookieZone === formerTimeZone ? null : cookieZone);
  return visitorCookie({ ...preferences, timeZone }, isSecureIn(context));
}
