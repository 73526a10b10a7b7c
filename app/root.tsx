import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { type ReactNode, use } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
} from "react-router";
import { seasonAt } from "./domain/calendar/calendar.ts";
import { type Context, clientContext, siteContext } from "./http/context.server.ts";
import { keepSession } from "./http/guard.server.ts";
import { refusalWords } from "./http/page-refusal.ts";
import { viewerOf, visitorOf } from "./http/viewer.server.ts";
import { env } from "./platform/env.server.ts";
import { accentStyle } from "./ui/accent.ts";
import { ErrorPage } from "./ui/error-page.tsx";
import { NonceContext, nonceOfPage } from "./ui/nonce.ts";
import { seasonPath } from "./ui/season-path.ts";
import { Shell } from "./ui/shell.tsx";
import { type Site, useSite } from "./ui/site.ts";
import "./ui/site.css";
import type { Route } from "./+types/root";
import { useVisitorMemory } from "./ui/visitor-memory.ts";

export const links: Route.LinksFunction = () => [
  { rel: "preload", as: "font", type: "font/woff2", href: interUrl, crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

const tellsSite: Route.MiddlewareFunction = ({ request, context }, next) => {
  context.set(siteContext, () => siteOf(request, context));
  return next();
};

export const middleware: Route.MiddlewareFunction[] = [keepSession, tellsSite];

export const loader = ({ request, context }: Route.LoaderArgs) => siteOf(request, context);

async function siteOf(request: Request, context: Context): Promise<Site> {
  // With the database away the shell still stands, and the page inside it says what is wrong.
  const { user, preferences } = await viewerOf(request, context).catch(() => ({
    user: null,
    preferences: visitorOf(request),
  }));
  const { requestId, origin } = context.get(clientContext);
  return {
    requestId,
    origin,
    user: user && { name: user.name, avatar: user.avatar, isOperator: user.role === "operator" },
    preferences,
    accentStyle: accentStyle(preferences.enfasiscolor),
    seasonPath: seasonPath(seasonAt(new Date())),
    isIndexed: env.INDEXING,
  };
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext) ?? nonceOfPage();
  const { accentStyle: colors, isIndexed } = useSite();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#0e0f13" />
        <meta name="color-scheme" content="dark" />
        {!isIndexed && <meta name="robots" content="noindex" />}
        <Meta />
        <Links />
        <style nonce={nonce} suppressHydrationWarning>
          {colors}
        </style>
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
  useVisitorMemory(loaderData.preferences);
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return <ErrorPage status={500} />;
  return <ErrorPage status={error.status} refusal={refusalWords(error.data)} />;
}
