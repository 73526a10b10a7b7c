import { expect } from "vitest";
import { walk } from "#tests/support/browser/walk.ts";
import { maxMemberScriptBytes } from "#tests/support/checks/script-bytes.ts";
import { operatorPages } from "#tests/support/page-states.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** An operator opens every page of members and operators. */

const site = sharedSite();
const operator = JSON.parse(runTool(site, "demo", ["--json"])) as { email: string; password: string };
runTool(site, "user", ["operator", operator.email]);
// The page of users that the walk opens begins after "x", so accounts of other files do not make it longer.
runTool(site, "user", ["create", "yuzu@example.org", "--name", "Yuzu"]);

await walk({
  pages: operatorPages,
  hasTabStops: true,
  maxScriptBytes: maxMemberScriptBytes,
  enter: async ({ request }) => {
    const signedIn = await request.post(`${site.origin}/api/auth/signin`, { data: operator });
    const saved = await request.post(`${site.origin}/api/saveUserPreferences`, {
      data: { theme: "system" },
    });
    expect([signedIn.status(), saved.status()]).toEqual([200, 200]);
  },
});
