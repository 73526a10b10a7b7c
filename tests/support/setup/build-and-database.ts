import type { TestProject } from "vitest/node";
import buildIfStale from "./fresh-build.ts";

/** Before tests that import the application: first its build, then the database, which the build migrates. */
export default async function setup(project: TestProject) {
  buildIfStale();
  const { provideTemplateDatabase } = await import("./template-database.ts");
  return provideTemplateDatabase(project);
}
