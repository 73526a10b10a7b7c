import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "#tests/support/checks/wait-until.ts";
import { isListening } from "#tests/support/servers/is-listening.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Starts Caddy with ops/Caddyfile, changed only in its name and ports. It makes its own certificate. */
export async function startCaddy(port: number, sitePort: number) {
  const folder = temporaryFolder("caddy");
  const accessLog = join(folder, "access.log");
  const configuration = join(folder, "Caddyfile");
  const replacements: [shipped: string, ours: string][] = [
    // Caddy would otherwise listen on port 80 too, and put its certificate among those that the machine trusts.
    ["\n{\n", "\n{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n"],
    ["\nengawa.example.org {\n", `\nhttps://localhost:${port} {\n\ttls internal\n`],
    ["127.0.0.1:3000", `127.0.0.1:${sitePort}`],
    ["/var/log/caddy/engawa.log", accessLog],
  ];
  let text = readFileSync("ops/Caddyfile", "utf8");
  for (const [shipped, ours] of replacements) {
    if (!text.includes(shipped)) throw new Error(`ops/Caddyfile does not contain ${shipped}`);
    text = text.replace(shipped, ours);
  }
  writeFileSync(configuration, text);
  const caddy = spawn("caddy", ["run", "--config", configuration, "--adapter", "caddyfile"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let ownLog = "";
  caddy.stderr.on("data", (bytes: Buffer) => {
    ownLog += bytes;
  });
  atEnd(async () => {
    caddy.kill("SIGTERM");
    if (caddy.exitCode === null) await once(caddy, "exit");
    rmSync(folder, { recursive: true, force: true });
  });
  const authority = join(folder, "caddy/pki/authorities/local/root.crt");
  await until(async () => {
    if (caddy.exitCode !== null) throw new Error(ownLog);
    return existsSync(authority) && isListening(port);
  });
  return {
    origin: `https://localhost:${port}`,
    authority: readFileSync(authority, "utf8"),
    /** The log of requests, and what Caddy says about itself. */
    logs: () => readFileSync(accessLog, "utf8") + ownLog,
  };
}
