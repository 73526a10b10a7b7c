import { expect } from "vitest";
import { type Arrow, arrowsOf, codeFiles, sources } from "./source-files.ts";

/** Facts and checks for the rules in tests/unit/architecture. */

export const pathFiles = ["app/paths.ts", "app/admin-paths.ts"];

export const routeTable = sources.get("app/routes.ts")?.text ?? "";
export const pages = new Set([...routeTable.matchAll(/"(routes\/[^"]+)"/g)].map(([, file]) => `app/${file}`));

export const arrows = arrowsOf(codeFiles);
export const broken = (isBroken: (arrow: Arrow) => boolean, among = arrows) =>
  among.filter(isBroken).map(({ text }) => text);

/** Exports that React Router reads from pages, from root.tsx and from entry.server.tsx. */
export const frameworkExports = new Set(
  "default action clientAction ErrorBoundary handleError headers Layout links loader meta middleware shouldRevalidate streamTimeout".split(
    " ",
  ),
);

/** Expects the exceptions of a rule to be exactly the violations. An unused exception would hide the next violation. */
export function expectOnly(exceptions: Iterable<string>, found: Iterable<string>) {
  expect([...found].sort()).toEqual([...exceptions].sort());
}
