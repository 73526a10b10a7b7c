import { setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { Attacker } from "#tests/load/attacks/attacker.ts";
import { attacks, upstreamAnswer } from "#tests/load/attacks/attacks.ts";
import { figure } from "#tests/load/figures.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { startNameServer } from "#tests/support/servers/name-server.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { totalMiB } from "#tests/support/site/memory.ts";
import type { Site } from "#tests/support/site/site-process.ts";

/** On Linux, all of 127.0.0.0/8 is this machine, so each of these addresses counts as a separate client. */
const attackerAddress = "127.0.0.2";
const bystanderAddress = "127.0.0.3";

const secondsOfAttack = 9;
export const memory = 512;

type Sample = { status: number | string; ms: number };
export type Samples = Record<string, Sample[]>;
type UnderAttack = { label: string; origin: string; upstream: string; sites: readonly Site[] };

/** The settings of a site under attack, and the upstream servers of its proxies. */
export async function hostileSurroundings() {
  const names = await startNameServer(() => "silent");
  const { origin: upstream } = await startUpstream(({ url = "" }, response) => {
    const answer = upstreamAnswer(url);
    if (answer !== undefined) response.end(answer);
  });
  const settings = {
    ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
    INDEXING: "1",
    MEMORY: String(memory),
    RATE_LIMIT_PAGE_POINTS: "",
    SILENT_NAME_SERVER: names.address,
    NODE_OPTIONS: `--import=${new URL("silent-name-server.mjs", import.meta.url)}`,
  };
  return { upstream, settings };
}

/** Runs one test for each attack: while it lasts, another client uses the site and gets every answer. */
export async function testAttacks({ label, origin, upstream, sites }: UnderAttack) {
  const { cookie, email } = await signUpAt(origin, "attacker@example.org");
  const member = { email: "bystander@example.org", password: goodPassword };
  await signUpAt(origin, member.email);
  const round = (seconds: number) => bystander({ origin, addresses: [bystanderAddress], member, seconds });
  await round(3);

  for (const [name, attack] of Object.entries(attacks))
    test(`during the attack "${name}", another client gets every answer`, async () => {
      const attacker = new Attacker(origin, attackerAddress);
      const use = round(secondsOfAttack);
      attack(attacker, { upstream, cookie, email });
      const sizes: number[] = [];
      const watch = setInterval(() => sizes.push(Math.max(...sites.map(memoryOf))), 500);
      const samples = await use;
      clearInterval(watch);
      attacker.stop();
      for (const [kind, asked] of Object.entries(samples)) {
        figure(label, `${name}: p99 of a ${kind}`, p99(asked), "ms");
        expect(refusals(asked), kind).toEqual([]);
      }
      figure(label, `${name}: memory of the site (MEMORY=${memory})`, Math.max(...sizes), "MiB");
      await pause(2000);
    });
}

export const refusals = (asked: readonly Sample[]) =>
  asked.map(({ status }) => status).filter((status) => status !== 200 && status !== 206);
const memoryOf = ({ process, dataDir }: Site) => totalMiB(process, dataDir);

/**
 * Runs the bystander in its own thread. The attacker's thread gets a lower priority, because a real attacker would not
 * share this processor.
 */
export function bystander(workerData: object): Promise<Samples> {
  setPriority(0);
  const worker = new Worker(new URL("bystander.mjs", import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker
      .once("online", () => setPriority(10))
      .once("message", resolve)
      .once("error", reject);
  });
}

export function p99(asked: readonly Sample[]): number {
  const sorted = asked.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
}
