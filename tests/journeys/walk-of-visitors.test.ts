import { walk } from "#tests/support/browser/walk.ts";
import { visitorPages } from "#tests/support/page-states.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** A visitor opens every page. */

const { origin } = sharedSite();

await walk({
  pages: visitorPages,
  hasTabStops: false,
  // Without the cookie, pages come from memory.
  enter: async (context) => {
    await context.addCookies([{ name: "visitor", value: "theme=system", url: origin }]);
  },
});
