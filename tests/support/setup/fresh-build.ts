import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { holdsTestedModules } from "../../../ops/tested-modules.ts";

/** Builds the site if its sources changed, or if a test imports a module that the last build does not hold. */
export default function setup() {
  if (!holdsTestedModules()) rmSync("build/sources", { force: true });
  execFileSync(process.execPath, ["ops/build.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
}
