import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { type ReactNode, use } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteError,
} from "react-router";
import { closedSite } from "#app/access/guards/closed-site.server.ts";
import { findAccount, resendSessionCookie } from "#app/access/guards/guard.server.ts";
import { askWhoIsWatching } from "#app/access/guards/who-is-watching.server.ts";
import { inJikanShape } from "#app/access/jikan-errors.server.ts";
import { limiters } from "#app/access/limits.server.ts";
import { getVisit, titleLanguageFor, visitorPreferencesOfRequest } from "#app/access/viewer.server.ts";
import { isChild, isOwner, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { seasonAt } from "#app/domain/calendar/calendar.ts";
import { listNewPictures } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { listHouseholdTitles } from "#app/domain/household/household.server.ts";
import { takesWishes } from "#app/domain/library/library.server.ts";
import { anybody, commonViewer } from "#app/domain/visibility/visibility.server.ts";
import {
  answerStateContext,
  type Context,
  clientContext,
  siteDataContext,
} from "#app/http/context.server.ts";
import { refusalText } from "#app/http/forms/page-refusal.ts";
import { admit } from "#app/http/guards/admission.server.ts";
import { limitPages } from "#app/http/guards/page-limits.server.ts";
import { pageMethods } from "#app/http/pipeline/page-methods.server.ts";
import { notePattern } from "#app/http/pipeline/route-table.server.ts";
import { seasonPath } from "#app/paths.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { accentStyle } from "#app/ui/accent.ts";
import { ownPages } from "#app/ui/member-menu/own-pages.ts";
import { AccentStyle } from "#app/ui/shell/accent-style.tsx";
import { ErrorPage, overloadTexts } from "#app/ui/shell/error-page.tsx";
import { NonceContext, nonceOfPage } from "#app/ui/shell/nonce.ts";
import { Shell } from "#app/ui/shell/shell.tsx";
import { type SiteData, useSiteData } from "#app/ui/shell/site.ts";
import { pageColors } from "#app/ui/shell/themes.ts";
import "#app/ui/styles/site.css";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import { useVisitorMemory } from "#app/ui/shell/visitor-memory.ts";
import type { Route } from "./+types/root";

export const links: Route.LinksFunction = () => [
  { rel: "preload", as: "font", type: "font/woff2", href: interUrl, crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

const provideSiteData: Route.MiddlewareFunction = ({ request, context }, next) => {
  context.set(siteDataContext, () => getSiteData(request, context));
  return next();
};

export const middleware: Route.MiddlewareFunction[] = [
  notePattern,
  inJikanShape,
  pageMethods,
  admit,
  limitPages({ limiter: { name: "page", ...limiters.page }, texts: overloadTexts, findAccount }),
  resendSessionCookie,
  askWhoIsWatching,
  provideSiteData,
  closedSite,
];

export const loader = ({ request, context }: Route.LoaderArgs) => getSiteData(request, context);

/** Twice the size in the header, for dense screens. */
const avatarWidthPx = 68;

async function getSiteData(request: Request, context: Context): Promise<SiteData> {
  const preventCaching = () => {
    context.get(answerStateContext).isNeverCached = true;
  };
  // Without the database the shell is still shown, and the page in it explains the problem.
  const { user, preferences, chosenTitleLanguage, viewer } = await getVisit(request, context).catch(() => {
    preventCaching();
    const chosen = visitorPreferencesOfRequest(request);
    const titleLanguage = titleLanguageFor(request, chosen);
    return {
      user: null,
      preferences: { ...chosen, titleLanguage },
      chosenTitleLanguage: chosen.titleLanguage,
      viewer: anybody,
    };
  });
  const { origin } = context.get(clientContext);
  const isClosed = isClosedSite() && user === null;
  return {
    origin,
    user: user && toSiteUser(user),
    preferences,
    chosenTitleLanguage,
    accentStyle: accentStyle(preferences.accentColor, preferences.theme),
    seasonPath: seasonPath(seasonAt(new Date())),
    isIndexed: env.INDEXING,
    isClosed,
    operator: operatorFacts(),
    forChildren: user && (await listForChildren(user).catch(() => null)),
    newPictures: isClosed
      ? {}
      : await listNewPictures(commonViewer(viewer)).catch(() => {
          preventCaching();
          return {};
        }),
  };
}

function toSiteUser(user: SessionUser): SiteData["user"] {
  const { name, isOneOfSeveral } = user;
  const isOperator = user.role === "operator";
  return {
    name,
    isOperator,
    isOneOfSeveral,
    isChild: isChild(user),
    avatar: proxiedPictureUrl(user.avatar, avatarWidthPx),
    pages: ownPages({ isOperator, isOneOfSeveral, makesWishes: takesWishes() && !isChild(user) }),
  };
}

function operatorFacts(): SiteData["operator"] {
  const { SITE_NAME: name, LEGAL_URL, PRIVACY_URL, CONTACT } = env;
  const links = [
    ["Legal notice", LEGAL_URL] as const,
    ["Privacy policy", PRIVACY_URL] as const,
    ["Contact", CONTACT && (/^https?:/.test(CONTACT) ? CONTACT : `mailto:${CONTACT}`)] as const,
  ].flatMap(([label, url]) => (url ? [[label, url] as const] : []));
  return name || links.length > 0 ? { name, links } : null;
}

async function listForChildren(user: SessionUser): Promise<SiteData["forChildren"]> {
  if (!isOwner(user) || !user.isBesideChild) return null;
  const chosen = await listHouseholdTitles(user.accountId);
  return Object.fromEntries(chosen.map(({ malId, verdict }) => [malId, verdict]));
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext) ?? nonceOfPage();
  const { accentStyle: colors, isIndexed, preferences } = useSiteData();
  // The watch page is always dark.
  const theme = /^\/watch\//i.test(useLocation().pathname) ? "dark" : preferences.theme;
  return (
    <html lang="en" data-theme={theme === "dark" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {theme === "system" && (
          <meta name="theme-color" media="(prefers-color-scheme: light)" content={pageColors.light} />
        )}
        <meta name="theme-color" content={pageColors[theme === "light" ? "light" : "dark"]} />
        {/* The background until the style sheet is there. */}
        <meta name="color-scheme" content={theme === "system" ? "dark light" : theme} />
        {!isIndexed && <meta name="robots" content="noindex" />}
        <Meta />
        <Links />
        <AccentStyle colors={colors} />
      </head>
      <body>
        <Shell>{children}</Shell>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useVisitorMemory(loaderData);
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return <ErrorPage status={500} />;
  return <ErrorPage status={error.status} refusal={refusalText(error.data)} />;
}
