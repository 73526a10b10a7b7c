import { testUnusableFolders } from "#tests/support/scaled/start-errors.ts";

/** Every folder that cannot hold a site. tests/system has two of them. */

testUnusableFolders();
