import { inject } from "vitest";
import type { Site } from "#tests/support/site/running-site.ts";

/**
 * The site that all test files of a project share. Each file signs up its own members and does not rely on data of
 * other files.
 */
type SharedSite = Pick<Site, "origin" | "dataDir">;

declare module "vitest" {
  interface ProvidedContext {
    sharedSite?: SharedSite;
  }
}

export function sharedSite(): SharedSite {
  const site = inject("sharedSite");
  if (!site) throw new Error("This project's global set-up is not tests/support/setup/start-shared-site.ts.");
  return site;
}
