import { testSourceHeaders } from "#tests/support/watching/source-headers.ts";

/** The headers of a source in a browser without scripts. */

await testSourceHeaders({ javaScriptEnabled: false });
