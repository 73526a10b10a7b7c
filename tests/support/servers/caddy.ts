import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "#tests/support/checks/wait-until.ts";
import { endProgram } from "#tests/support/servers/end-program.ts";
import { isListening } from "#tests/support/servers/is-listening.ts";
import { shippedFile } from "#tests/support/servers/shipped-file.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Starts Caddy with ops/Caddyfile, with the site's name and the ports replaced. Caddy issues its own certificate. */
export async function startCaddy(port: number, sitePort: number) {
  const ours = {
    "\nengawa.example.org {\n": `\nhttps://localhost:${port} {\n\ttls internal\n`,
    "127.0.0.1:3000": `127.0.0.1:${sitePort}`,
  };
  const hasAuthority = (folder: string) => existsSync(join(folder, authorityPath));
  const { folder, accessLog, ownLog } = await runShipped(port, ours, hasAuthority);
  return {
    origin: `https://localhost:${port}`,
    authority: readFileSync(join(folder, authorityPath), "utf8"),
    /** Caddy's access log and its own log. */
    logs: () => readFileSync(accessLog, "utf8") + ownLog(),
  };
}

const authorityPath = "caddy/pki/authorities/local/root.crt";

/** Starts Caddy in front of two instances, with the lines of ops/Caddyfile for several instances and without a certificate. */
export async function startCaddyBefore(port: number, [first, second]: readonly [number, number]) {
  const { ownLog } = await runShipped(port, {
    "\nengawa.example.org {\n": `\nhttp://127.0.0.1:${port} {\n`,
    "127.0.0.1:3000": `127.0.0.1:${first} 127.0.0.1:${second}`,
    ...Object.fromEntries(severalInstances().map((line) => [`# ${line}`, line])),
  });
  const timesSeen = (instance: number) =>
    ownLog()
      .split("\n")
      .filter((line) => line.includes("host is up") && line.includes(`:${instance}"`)).length;
  const seen = new Map<number, number>();
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Resolves when Caddy sends requests to an instance that has restarted. */
    async seesAgain(instance: number) {
      await until(() => timesSeen(instance) > (seen.get(instance) ?? 0));
      seen.set(instance, timesSeen(instance));
    },
  };
}

/** The commented-out settings of ops/Caddyfile for several instances. */
function severalInstances(): string[] {
  const lines = readFileSync("ops/Caddyfile", "utf8").match(/(?<=^\t\t# )(?:health|lb)_\w+ .+$/gm);
  if (!lines) throw new Error("ops/Caddyfile has no settings for several instances");
  return lines;
}

async function runShipped(port: number, ours: Record<string, string>, isReady = (_folder: string) => true) {
  const folder = temporaryFolder("caddy");
  const accessLog = join(folder, "access.log");
  const text = shippedFile("ops/Caddyfile", {
    // Otherwise Caddy would also listen on port 80, and add its certificate to the machine's trusted certificates.
    "\n{\n": "\n{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n",
    "/var/log/caddy/engawa.log": accessLog,
    ...ours,
  });
  const ownLog = await runCaddy(folder, port, text, () => isReady(folder));
  return { folder, accessLog, ownLog };
}

/** Starts Caddy with this configuration, and returns a function that returns its own log. */
export async function runCaddy(folder: string, port: number, text: string, isReady = () => true) {
  const configuration = join(folder, "Caddyfile");
  writeFileSync(configuration, text);
  const caddy = spawn("caddy", ["run", "--config", configuration, "--adapter", "caddyfile"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let ownLog = "";
  caddy.stderr.on("data", (bytes: Buffer) => {
    ownLog += bytes;
  });
  atEnd(() => endProgram(caddy, "SIGTERM"));
  await until(async () => {
    if (caddy.exitCode !== null) throw new Error(ownLog);
    return isReady() && isListening(port);
  });
  return () => ownLog;
}
