/** One test file, because each test file would parse all sources again. */
import "./architecture/domain.ts";
import "./architecture/exports-and-names.ts";
import "./architecture/http.ts";
import "./architecture/imports.ts";
import "./architecture/pages.ts";
import "./architecture/tests-and-ops.ts";
