import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import type { Site } from "#tests/support/site/running-site.ts";

/** Runs a command-line tool as an operator does, beside a running site, and returns its output. */
export const runTool = (
  site: Pick<Site, "dataDir">,
  tool: string,
  toolArguments: string[],
  input = "",
): string =>
  execFileSync(process.execPath, [resolve(`build/server/${tool}.js`), ...toolArguments], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: "",
      DATA_DIR: site.dataDir,
      LOG_LEVEL: "error",
    },
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "inherit"],
  });

type Source = { title: number; episode: number; url: string; type: string; label: string };

export const addSource = (site: Pick<Site, "dataDir">, { title, episode, url, type, label }: Source) =>
  runTool(site, "sources", ["add", `${title}`, `${episode}`, url, "--type", type, "--label", label]);

/** Creates the account of an operator. */
export const addOperator = (site: Pick<Site, "dataDir">, email: string, password: string) =>
  runTool(site, "user", ["create", email, "--name", "Operator", "--operator", "--password-stdin"], password);
