import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, prepare, root } from "./prepare.mjs";

/** `node ops/run.mjs NAME …` brings the build up to date and runs a command-line tool of app/cli from it. */

const [name = ""] = process.argv.splice(2, 1);
process.env.NODE_ENV ??= "production";
await prepare();
const tool = join(root, "build/server", `${name}.js`);
if (!/^[a-z-]+$/.test(name) || !existsSync(tool))
  fail(`There is no tool called ${name}. The tools are the files of app/cli.`);
process.execArgv.length = 0;
await import(pathToFileURL(tool).href);
