import { hostileSurroundings, testAttacks } from "#tests/load/attacks/under-attack.ts";
import { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** Two instances run behind the shipped nginx.conf. */

const { upstream, settings } = await hostileSurroundings();
const { origin, one, other } = await startTwoInstances(settings, { isQuiet: true });
await testAttacks({ label: "attacks, through nginx", origin, upstream, sites: [one, other] });
