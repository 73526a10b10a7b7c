import { type ComponentType, lazy } from "react";

/**
 * A part of a page with a script of its own. A script that cannot be loaded must not take the page away: what the server
 * has rendered stays and works as without scripts, and any other part is missing until the browser is online again.
 */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch(() => whenOnline(load)) }));

const whenOnline = <Part>(load: () => Promise<Part>) =>
  new Promise<Part>((resolve) => {
    addEventListener("online", () => load().then(resolve, () => {}));
  });
