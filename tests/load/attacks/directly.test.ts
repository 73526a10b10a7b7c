import { hostileSurroundings, testAttacks } from "#tests/load/attacks/under-attack.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The site runs as one instance with its embedded database, without a proxy in front. */

const { upstream, settings } = await hostileSurroundings();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const site = await startSite({ ...settings, PORT: String(port), PUBLIC_URL: origin }, { isQuiet: true });
await testAttacks({ label: "attacks, directly", origin, upstream, sites: [site] });
