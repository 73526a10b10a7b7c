import { afterEach, expect, test } from "vitest";
import { Attacker } from "#tests/load/attacks/attacker.ts";
import {
  fillList,
  listTitles,
  type MemberTarget,
  memberFloods,
  memberHolds,
  newSessions,
  shapes,
  startFlood,
} from "#tests/load/attacks/member-attacks.ts";
import {
  bystander,
  hostileSurroundings,
  memory,
  p99,
  refusals,
  signUp,
} from "#tests/load/attacks/under-attack.ts";
import { figure } from "#tests/load/figures.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { totalMiB } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A member attacks the site with an account, while a person at another address uses it. */

/** In this time, each kind of request is sent often enough for the slowest of a hundred to mean something. */
const seconds = 20;
const label = "attacks by a member";

const { settings } = await hostileSurroundings();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const ownSettings = { ...settings, PORT: String(port), PUBLIC_URL: origin };
const site = await startSite(ownSettings, { isQuiet: true });

const member = { email: "bystander@example.org", password: goodPassword };
await signUp(origin, { ...member, username: "Bystander" });
// The bystander has a separate account, because its sign-ins would end the oldest sessions of the attacker's account.
const reader = { email: "reader@example.org", password: goodPassword, username: "Reader" };
const cookie = await signUp(origin, reader);
const malIds = await listTitles(origin);
const sessionsOfOne = 16;

/** Each time from another address, because the address of the last attack has used up its requests for this minute. */
const use = (length: number, address: string) =>
  bystander({ origin, address, member, cookie, seconds: length });
await use(3, "127.0.0.3");
const idle = await use(seconds, "127.0.0.4");
for (const [kind, asked] of Object.entries(idle)) figure(label, `idle: p99 of a ${kind}`, p99(asked), "ms");

let attacks = 0;
let attackers: Attacker[] = [];
afterEach(() => {
  for (const attacker of attackers) attacker.stop();
});

/** Records how long the bystander's requests took during the attack, and the ratio to their time without it. */
async function measure(name: string, start: (attackers: readonly Attacker[], target: MemberTarget) => void) {
  // The previous attack has used up its account's requests for this minute, and its addresses'.
  const target = { malIds, sessions: await newSessions(origin, sessionsOfOne) };
  await fillList(origin, target);
  attacks += 1;
  attackers = Array.from({ length: 16 }, (_, at) => new Attacker(origin, `127.2.${attacks}.${1 + at}`));
  const using = use(seconds, `127.3.${attacks}.1`);
  start(attackers, target);
  const samples = await using;
  const size = totalMiB(site.process, site.dataDir);
  for (const [kind, asked] of Object.entries(samples)) {
    figure(label, `${name}: p99 of a ${kind}`, p99(asked), "ms");
    figure(label, `${name}: p99 of a ${kind} beside idle`, p99(asked) / p99(idle[kind] ?? []), "times");
    expect(refusals(asked), kind).toEqual([]);
  }
  figure(label, `${name}: memory of the site (MEMORY=${memory})`, size, "MiB");
}

for (const [name, flood] of Object.entries(memberFloods))
  for (const [shapeName, shape] of Object.entries(shapes))
    test(`while a member attacks with ${name}, ${shapeName}, another client gets every answer`, () =>
      measure(`${name}, ${shapeName}`, (own, target) => startFlood(own, flood, target, shape)));

for (const [name, held] of Object.entries(memberHolds))
  test(`while a member attacks with ${name}, another client gets every answer`, () =>
    measure(name, ([attacker], target) => attacker?.hold(held.count, held.bytes(target), held)));
