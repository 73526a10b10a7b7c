import { testSourceHeaders } from "#tests/support/watching/source-headers.ts";

/** The headers of a source in a browser with scripts. tests/release has one without. */

await testSourceHeaders({ javaScriptEnabled: true });
