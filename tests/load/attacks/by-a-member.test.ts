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
  type Samples,
} from "#tests/load/attacks/under-attack.ts";
import { figure } from "#tests/load/figures.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { totalMiB } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A member attacks the site with an account, while a person at another address uses it. */

/**
 * About the minute in which requests are counted: an attack is worst at the beginning, before the limits refuse it. The
 * bystander's own account stays below its limit.
 */
const seconds = 59;
const label = "attacks by a member";

const { settings } = await hostileSurroundings();
const attacked = await startWithBystander();
/** Nobody attacks this site. Used at the same time, it shows what the attack takes of the machine that both share. */
const control = await startWithBystander();
const { origin, site } = attacked;
const malIds = await listTitles(origin);
const sessionsOfOne = 16;

async function startWithBystander() {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const site = await startSite({ ...settings, PORT: String(port), PUBLIC_URL: origin }, { isQuiet: true });
  const member = { email: "bystander@example.org", password: goodPassword };
  await signUpAt(origin, member.email);
  // The bystander has a separate account, because its sign-ins would end the oldest sessions of the attacker's account.
  const { cookie } = await signUpAt(origin, "reader@example.org");
  const use = async (seconds: number, addresses: readonly string[]) =>
    withAllQuick(await bystander({ origin, addresses, member, cookie, seconds, keepsConnections: true }));
  return { origin, site, use };
}

/** Adds all requests but sign-ins, which take ten times as long. Their p99 is of 3,500 requests and thus varies less. */
function withAllQuick(samples: Samples): Samples {
  const { "sign-in": _slow, ...quick } = samples;
  return { ...samples, "request but sign-ins": Object.values(quick).flat() };
}

const sampleBoth = (length: number, addresses: readonly string[]) =>
  Promise.all([attacked.use(length, addresses), control.use(length, addresses)]);
await sampleBoth(5, ["127.0.0.3"]);
const [idle] = await sampleBoth(seconds, ["127.0.0.4", "127.0.0.5", "127.0.0.6"]);
for (const [kind, asked] of Object.entries(idle)) figure(label, `idle: p99 of a ${kind}`, p99(asked), "ms");

let attacks = 0;
let attackers: Attacker[] = [];
afterEach(() => {
  for (const attacker of attackers) attacker.stop();
});

/**
 * Records how long the bystander's requests took during the attack, and the ratios to their time without it and to their
 * time on the site that is not attacked.
 */
async function measure(name: string, start: (attackers: readonly Attacker[], target: MemberTarget) => void) {
  // The previous attack has used up its account's requests for this minute, and its addresses'.
  const target = { malIds, sessions: await newSessions(origin, sessionsOfOne) };
  await fillList(origin, target);
  attacks += 1;
  attackers = Array.from({ length: 16 }, (_, at) => new Attacker(origin, `127.2.${attacks}.${1 + at}`));
  // Other addresses each time, because those of the last attack have used up their requests for this minute.
  const using = sampleBoth(
    seconds,
    [1, 2, 3].map((last) => `127.3.${attacks}.${last}`),
  );
  start(attackers, target);
  const [samples, beside] = await using;
  const size = totalMiB(site.process, site.dataDir);
  for (const [kind, asked] of Object.entries(samples)) {
    figure(label, `${name}: p99 of a ${kind}`, p99(asked), "ms");
    figure(label, `${name}: p99 of a ${kind} beside idle`, p99(asked) / p99(idle[kind] ?? []), "times");
    figure(label, `${name}: p99 of a ${kind} beside control`, p99(asked) / p99(beside[kind] ?? []), "times");
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
