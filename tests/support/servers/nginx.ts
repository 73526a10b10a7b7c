import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "#tests/support/checks/wait-until.ts";
import { endProgram } from "#tests/support/servers/end-program.ts";
import { isListening } from "#tests/support/servers/is-listening.ts";
import { shippedFile } from "#tests/support/servers/shipped-file.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Starts nginx with ops/nginx.conf, changed only in its ports. `defaults` are lines of the http block. */
export async function startNginx(
  port: number,
  [first, second]: readonly [number, number],
  { defaults = "" } = {},
) {
  const folder = temporaryFolder("nginx");
  const changes = {
    "127.0.0.1:3001": `127.0.0.1:${first}`,
    "127.0.0.1:3002": `127.0.0.1:${second}`,
    "listen 80;": `listen 127.0.0.1:${port};`,
  };
  await runShipped(folder, port, changes, defaults);
  return { origin: `http://127.0.0.1:${port}`, accessLog: () => readLog(folder, "access.log") };
}

/** Starts nginx as docs/install/nginx.md describes: one instance, a name and a certificate. */
export async function startNginxWithCertificate(port: number, sitePort: number) {
  const folder = temporaryFolder("nginx");
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...made, ...subject, "-keyout", key, "-out", certificate], {
    stdio: "pipe",
  });
  await runShipped(folder, port, {
    "127.0.0.1:3001": `127.0.0.1:${sitePort}`,
    "  server 127.0.0.1:3002 max_fails=1 fail_timeout=2s;\n": "",
    "  server 127.0.0.1:3002 max_fails=0 backup;\n": "",
    "listen 80;": `listen 127.0.0.1:${port} ssl;
  server_name localhost;
  ssl_certificate ${certificate};
  ssl_certificate_key ${key};`,
  });
  return {
    origin: `https://localhost:${port}`,
    authority: readFileSync(certificate, "utf8"),
    logs: () => readLog(folder, "access.log") + readLog(folder, "error.log"),
  };
}

const readLog = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

async function runShipped(folder: string, port: number, changes: Record<string, string>, defaults = "") {
  const shipped = shippedFile("ops/nginx.conf", {
    ...changes,
    "/var/log/nginx/engawa.log": join(folder, "access.log"),
  });
  await runNginx(folder, port, `${defaults}\n${shipped}`);
}

/** Starts nginx with these lines in its http block. */
export async function runNginx(folder: string, port: number, lines: string) {
  const configuration = join(folder, "nginx.conf");
  writeFileSync(configuration, `${mainConfiguration(folder)}\n${lines}\n}\n`);
  const nginx = spawn("nginx", ["-p", folder, "-c", configuration, "-e", join(folder, "error.log")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  atEnd(() => endProgram(nginx, "SIGTERM"));
  await until(async () => {
    if (nginx.exitCode !== null) throw new Error(readLog(folder, "error.log"));
    return isListening(port);
  });
}

const mainConfiguration = (folder: string) => `daemon off;
worker_processes 1;
pid ${folder}/pid;
worker_rlimit_nofile 20000;
error_log ${folder}/error.log crit;
events { worker_connections 8192; }
http {
access_log off;
${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}`;
