import type { MetaDescriptor } from "react-router";
import type { SiteData } from "./site.ts";

type Match = { id: string; loaderData?: unknown } | undefined;

type Page = {
  title: string;
  description: string;
  /** The canonical path. Search engines do not index a page without one. */
  path?: string;
  /** A path of this site. */
  image?: string;
  type?: "website" | "video.tv_show" | "video.movie" | "profile";
};

export const siteName = "Engawa";

const shorten = (text: string) =>
  text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, "")}…`;

/** The title, description, canonical URL and Open Graph tags of a page. */
export function htmlMeta(matches: readonly Match[], page: Page): MetaDescriptor[] {
  const origin = (matches[0]?.loaderData as SiteData | undefined)?.origin ?? "";
  const title =
    page.title === siteName ? `${siteName}: anime, on your own porch` : `${page.title} · ${siteName}`;
  const description = shorten(page.description);
  const tags: MetaDescriptor[] = [
    { title },
    { name: "description", content: description },
    { property: "og:site_name", content: siteName },
    { property: "og:title", content: page.title },
    { property: "og:description", content: description },
    { property: "og:type", content: page.type ?? "website" },
    { property: "og:image", content: `${origin}${page.image ?? "/icon-512.png"}` },
    { name: "twitter:card", content: page.image === undefined ? "summary" : "summary_large_image" },
  ];
  if (page.path === undefined) return [...tags, { name: "robots", content: "noindex" }];
  const url = `${origin}${page.path}`;
  return [...tags, { property: "og:url", content: url }, { tagName: "link", rel: "canonical", href: url }];
}
