import { execFileSync, spawn } from "node:child_process";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Site } from "#tests/support/site/running-site.ts";
import type { ToolResult } from "#tests/support/site/tools-in-process.ts";

type Beside = Pick<Site, "dataDir"> & Partial<Pick<Site, "mediaDir">>;

/** The environment of a tool beside a running site. */
export const besideSite = (site: Beside) => ({
  NODE_ENV: "production",
  DATABASE_URL: "",
  DATA_DIR: site.dataDir,
  MEDIA_DIR: site.mediaDir ?? "",
  LOG_LEVEL: "error",
});

/** Runs a command-line tool as an operator does, beside a running site, and returns its output. Throws if it fails. */
export const runTool = (site: Beside, tool: string, toolArguments: string[], input = ""): string =>
  execFileSync(process.execPath, [resolve(`build/server/${tool}.js`), ...toolArguments], {
    env: { ...process.env, ...besideSite(site) },
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "inherit"],
  });

type Source = { title: number; episode: number; url: string; type: string; label: string };

export const addSource = (site: Beside, { title, episode, url, type, label }: Source) =>
  runTool(site, "sources", ["add", `${title}`, `${episode}`, url, "--type", type, "--label", label]);

/** Creates the account of an operator. */
export const addOperator = (site: Beside, email: string, password: string) =>
  runTool(site, "user", ["create", email, "--name", "Operator", "--operator", "--password-stdin"], password);

/** Runs a command-line tool in its own process, with the environment of the test and these settings. */
export async function spawnTool(
  name: string,
  toolArguments: string[],
  { input = "", settings = {} }: { input?: string; settings?: Record<string, string> } = {},
): Promise<ToolResult> {
  const child = spawn(process.execPath, [resolve(`build/server/${name}.js`), ...toolArguments], {
    env: { ...process.env, LOG_LEVEL: "debug", ...settings },
  });
  child.stdin.end(input);
  const closed = new Promise<number>((settle) => child.on("close", (code) => settle(code ?? -1)));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, stdout, stderr };
}
