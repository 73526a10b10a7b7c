import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../checks/wait-until.ts";
import { atEnd } from "../setup/at-end.ts";
import { temporaryFolder } from "../setup/temporary-folder.ts";

/** Starts nginx with ops/nginx.conf, changed only in its ports. */
export async function startNginx(port: number, [first, second]: readonly [number, number]) {
  const folder = temporaryFolder("nginx");
  const configuration = join(folder, "nginx.conf");
  const shipped = withPorts(readFileSync("ops/nginx.conf", "utf8"), {
    "127.0.0.1:3001": `127.0.0.1:${first}`,
    "127.0.0.1:3002": `127.0.0.1:${second}`,
    "listen 80;": `listen 127.0.0.1:${port};`,
    "logs/access.log": join(folder, "access.log"),
  });
  writeFileSync(configuration, `${mainConfiguration(folder)}\n${shipped}\n}\n`);
  const nginx = spawn("nginx", ["-p", folder, "-c", configuration, "-e", join(folder, "error.log")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  atEnd(async () => {
    nginx.kill("SIGTERM");
    if (nginx.exitCode === null) await once(nginx, "exit");
    rmSync(folder, { recursive: true, force: true });
  });
  const origin = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (nginx.exitCode !== null) throw new Error(readFileSync(join(folder, "error.log"), "utf8"));
    return fetch(origin).then(
      () => true,
      () => false,
    );
  });
  return { origin, accessLog: () => readFileSync(join(folder, "access.log"), "utf8") };
}

const mainConfiguration = (folder: string) => `daemon off;
worker_processes 1;
pid ${folder}/pid;
worker_rlimit_nofile 20000;
events { worker_connections 8192; }
http {
access_log off;
${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}`;

function withPorts(text: string, ports: Record<string, string>) {
  for (const [shipped, ours] of Object.entries(ports)) {
    if (!text.includes(shipped)) throw new Error(`ops/nginx.conf does not contain ${shipped}`);
    text = text.replace(shipped, ours);
  }
  return text;
}
