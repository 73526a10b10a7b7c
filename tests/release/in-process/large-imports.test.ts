import { testImportedLists } from "#tests/support/scaled/large-imports.ts";

/** Lists of 32 MiB in every format. The slow integration tests import an account of this size at each change. */

testImportedLists();
