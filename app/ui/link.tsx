import type { ComponentProps } from "react";
import { Link as RouterLink } from "react-router";
import { isServer } from "./late.tsx";

type Props = ComponentProps<typeof RouterLink>;

/**
 * The router's link. On the server it is written at once as the same element: the router resolves each target against the
 * page, and the targets of this site begin at its root. The router's own takes 14 to 24 % more processor time for a member's
 * home, browse or title page.
 */
export const Link = isServer ? ServerLink : RouterLink;

function ServerLink(props: Props) {
  const { to, prefetch, discover, relative, replace, state, preventScrollReset, viewTransition, ...rest } =
    props;
  const { reloadDocument, mask, defaultShouldRevalidate, ...attributes } = rest;
  if (typeof to !== "string" || !startsAtRoot.test(to)) return <RouterLink {...props} />;
  return <a {...attributes} href={to} data-discover={discover === "none" ? undefined : "true"} />;
}

/** Not `//host`, and nothing that would be resolved: `/a/../b`, `/a//b`. */
const startsAtRoot = /^\/(?![/\\])(?!\.)(?:(?!\/[./])[^?#\s])*(?:[?#].|$)/;
