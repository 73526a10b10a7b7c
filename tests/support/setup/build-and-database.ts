import type { TestProject } from "vitest/node";
import buildIfStale from "#tests/support/setup/fresh-build.ts";

/** Builds the application, then creates the template database. That module imports the build, so it loads after it. */
export default async function setup(project: TestProject) {
  buildIfStale();
  const { provideTemplateDatabase } = await import("#tests/support/setup/template-database.ts");
  return provideTemplateDatabase(project);
}
