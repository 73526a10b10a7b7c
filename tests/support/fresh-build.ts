import { execFileSync } from "node:child_process";

/** Integration tests and journeys run against the production build; this makes it when it is missing or old. */
export default function setup() {
  execFileSync(process.execPath, ["ops/build.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
}
