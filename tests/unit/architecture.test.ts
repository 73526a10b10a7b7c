import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import {
  type Arrow,
  arrowsOf,
  codeFiles,
  declaredIn,
  eachNode,
  exportsOf,
  findCycles,
  importedNames,
  imports,
  opsFiles,
  reachableFrom,
  sources,
  specifiersOf,
  testFiles,
} from "#tests/support/checks/source-files.ts";
import { callersOf, namesOfMature, titleQueries } from "#tests/support/checks/title-queries.ts";

/** The map of the code: which top folder may import which, and who may import a file. */

const mayReach: Record<string, string[]> = {
  "app/routes": ["app/routes", "app/wire", "app/access", "app/http", "app/ui", "app/domain", "app/platform"],
  "app/wire": ["app/wire", "app/access", "app/http", "app/domain", "app/platform"],
  "app/access": ["app/access", "app/http", "app/domain", "app/platform"],
  "app/http": ["app/http", "app/domain", "app/platform"],
  "app/ui": ["app/ui", "app/domain"],
  "app/domain": ["app/domain", "app/media", "app/platform", "db"],
  "app/media": ["app/media"],
  "app/workers": ["app/domain", "app/media", "app/platform"],
  "app/platform": ["app/platform"],
  "app/cli": ["app/cli", "app/wire", "app/domain", "app/platform", "db"],
  // The start waits for the late parts of pages.
  "app/start": ["app/start", "app/http", "app/ui", "app/domain", "app/platform", "db"],
  db: ["db", "app/platform"],
  // The document shell: root, entry, routes.ts.
  app: ["app", "app/wire", "app/access", "app/http", "app/ui", "app/domain", "app/platform"],
};
const paths = "app/paths.ts";
const pathFiles = [paths, "app/admin-paths.ts"];
/** Pure modules that import no other file of this repository, so every top folder may import them. */
const forEveryFolder = new Set([...pathFiles, "app/platform/units.ts", "app/platform/media-types.ts"]);

/**
 * The files of the domain that http/ may import. Every other file of the domain belongs to the product, which http/
 * does not know.
 */
const domainOfHttp: Record<string, string> = {
  "app/domain/errors.ts": "the reasons of a refusal, each with its status",
  "app/domain/missing-user.server.ts": "the error of a request whose account was just deleted",
  "app/domain/accounts/accounts.ts": "the member that a guard gives to its route",
  "app/domain/accounts/accounts.server.ts": "the session behind a request",
  "app/domain/sign-in/sign-in.server.ts": "the token and the provider's profile behind a request",
};

/** Loaders that may write. A GET must change nothing, because browsers repeat and prefetch it. */
const loadersThatWrite: Record<string, string> = {
  "app/routes/browse/search.tsx#recordSearch":
    "A search is a GET and must work without scripts, so its loader records it unless the request is a prefetch.",
};

/** Files that write the header Cache-Control themselves. */
const writersOfCacheControl: Record<string, string> = {
  "app/http/cache-policy.server.ts": "the policies",
  "app/domain/images/storage/s3.server.ts": "the header with which the bucket serves a picture",
};

/** Queries of `titles` that do not apply `visibleTo`, each with the reason. */
const queriesForAllTitles: Record<string, string> = {
  "app/domain/catalog-import/write-titles.server.ts#readRows": "an import compares with what is stored",
  "app/domain/catalog-import/write-children.server.ts#findKnownTitles": "an import writes episodes of titles",
  "app/domain/catalog-import/tags/tags.server.ts#listUnknownNames":
    "numbers the genres and companies of every title, without titles",
  "app/domain/catalog-import/title-keys.server.ts#fillTitleKeys": "the start fills in a column",
  "app/domain/catalog-import/title-keys.server.ts#fillSome": "the start fills in a column",
  "app/domain/catalog-editing/edit-title.server.ts#lockTitle": "an operator edits a title",
  "app/domain/catalog-editing/edited-fields.server.ts#columnsField": "as lockTitle",
  "app/domain/catalog-editing/own-titles.server.ts#createOwnTitle": "asks for a number that no title has",
  "app/domain/catalog-editing/own-titles.server.ts#lockTitles": "as lockTitle",
  "app/domain/catalog-editing/own-titles.server.ts#replaceTitle": "deletes a local title",
  "app/domain/franchises/renewal.server.ts#readTitles":
    "computes the order of all titles; the rows are read with visibleTo",
  "app/domain/local-titles/known-titles.server.ts#listKnown": "finds the titles that local ones become",
  "app/domain/catalog-editing/edited-title.server.ts#getEditedTitle": "a page of operators",
  "app/domain/catalog-editing/edited-title.server.ts#listEditedRelations": "a page of operators",
  "app/domain/catalog-sharing/title-pages.server.ts#titleBytes": "only measures titles",
  "app/domain/catalog-sharing/title-pages.server.ts#titlesOfPage":
    "only measures titles; its callers select them, and read the rows with visibleTo",
  "app/domain/catalog-sharing/export.server.ts#idRanges": "only counts ids; the rows are read with visibleTo",
  "app/domain/images/image-proxy-access.server.ts#getPictureHosts":
    "the hosts that the image proxy may reach, without titles",
  "app/domain/catalog-editing/hidden-titles.server.ts#hideTitle": "an operator hides a title",
  "app/domain/catalog-editing/hidden-titles.server.ts#unhideTitle": "an operator shows it again",
  "app/domain/catalog-editing/hidden-titles.server.ts#selectHidden": "the operators' list of hidden titles",
  "app/domain/library/files/export-list.server.ts#selectAfter": "a member's file holds the whole list",
  "app/domain/library/files/import-person.server.ts#addViews":
    "a member's file comes in whole; it shows no title",
  "app/domain/library/files/import-person.server.ts#addResumePoints": "as addViews",
  "app/domain/library/files/import-person.server.ts#addTrackChoices": "as addViews",
  "app/domain/library/files/import-person.server.ts#addDismissals": "as addViews",
  "app/domain/library/files/import-account.server.ts#addVerdicts": "as addViews",
  "app/domain/library/list/list-rows.server.ts#lockExistingTitles":
    "locks titles that findListedTitles has judged",
  "app/domain/local-titles/title-of-films.server.ts#findLocalTitle": "an operator names a title",
  "app/domain/films/records/film-records.server.ts#listNewestFilms": "a page of operators",
  "app/domain/scanning/deciding/decide.server.ts#check": "an operator names a title",
  "app/domain/scanning/scan/film-registration.server.ts#addSources": "a scan registers films of titles",
  "app/domain/scanning/scan/film-registration.server.ts#addSubtitles": "as addSources",
  "app/domain/scanning/folder-facts/folder-facts.server.ts#listTitlesToFill":
    "fills in texts and pictures of titles, and shows none",
  "app/domain/films/records/present-films.server.ts#listIncompleteTitles": "a page of operators",
  "app/domain/details/queue.server.ts#refreshReasons": "asks for details of titles, and shows none",
  "app/domain/details/queue.server.ts#recordOpened": "as refreshReasons",
  "app/domain/details/write-details.server.ts#lockTitles": "stores details of titles",
  "app/domain/details/progress.server.ts#getDetailProgress": "a page of operators",
  "app/domain/playback/sources/failed-plays.server.ts#listFailedPlays": "a page of operators",
  "app/domain/playback/sources/sources.server.ts#createEpisodeIfMissing": "operators register sources",
  "app/domain/playback/sources/sources.server.ts#listSources": "pages and commands of operators",
};

/** Files that define mature titles, or who may see them. All other files only pass a viewer on. */
const filesAboutMature: Record<string, string> = {
  "db/schema/catalog.ts": "the column that says which titles are mature",
  "app/domain/visibility/visibility.server.ts": "the condition of a query",
  "app/domain/catalog/catalog-rows.server.ts": "leaves the column out of what the site reads",
  "app/domain/catalog-import/records/title-records.server.ts":
    "leaves the column out of what an import writes",
  "app/domain/catalog-sharing/changes.server.ts": "says of a mature title only that it is one",
  "app/domain/accounts/accounts.ts": "a member's age and preference",
  "app/access/viewer.server.ts": "makes the viewer of a request",
};

/** Exported types of the domain that have the field names of a file format. */
const fileFormats = new Set(["app/domain/library/files/json-lists.ts#OwnFileEntry"]);

/** Exports that React Router reads from pages, from root.tsx and from entry.server.tsx. */
const frameworkExports = new Set(
  "default action clientAction ErrorBoundary handleError headers Layout links loader meta middleware shouldRevalidate streamTimeout".split(
    " ",
  ),
);
/** Exports that are loaded by a path in a string, which the import parser does not see. */
const loadedByName: Record<string, string> = {
  "app/start/development.ts#runDevelopment": "ops/dev.mjs loads it through Vite",
  "app/platform/process/run-tool.server.ts#runTool":
    "vite.config.ts writes the entry that calls it for each tool",
  "tests/support/setup/build-and-database.ts#default": "vitest.config.ts names it as a globalSetup",
  "tests/support/setup/shared-site.ts#default": "vitest.config.ts names it as a globalSetup",
};

const vagueNames = /(^|\/)(utils?|libs?|helpers?|common|misc|shared|types?|constants?|index)(\.|\/|$)/;

/** Prefixes that a rule compares paths with. They are no links. */
const pathPrefixes = new Set([
  "app/http/pipeline/application.server.ts: /api/",
  // This is a folder of the machine, not a path of the site.
  "app/domain/films/folder/choosable-folders.server.ts: /media",
]);

/** Unit tests that do not mirror a single module, each with its subject. */
const testsOfMore: Record<string, string> = {
  "tests/unit/architecture.test.ts": "all sources",
  "tests/unit/starter-catalog.test.ts": "the data of the starter catalog",
  "tests/unit/domain/proxy/playlist-checker.test.ts": "the checker that the playlist tests trust",
  "tests/unit/http/incoming-request-behind-proxy.isolated.test.ts": "incoming-request in another environment",
  "tests/unit/http/cors-origins.isolated.test.ts": "cors and same-origin in another environment",
  "tests/unit/http/failing-limiter.isolated.test.ts": "rate-limit with a broken store",
};

/** Tests that may import modules that the door of their noun does not export. */
const testsBehindDoors = new Set([
  "tests/integration/details/queue.isolated.test.ts",
  "tests/integration/backup/migration-backups.test.ts",
  "tests/integration/images/storage.test.ts",
  "tests/integration/settings/previous-storage.slow.test.ts",
  "tests/load/in-process/hostile-texts.test.ts",
]);

/** Modules that browser tests may import from the sources. They have no state, because the site under test has its own copy. */
const browserTestsMayImport: Record<string, string> = {
  "app/platform/units.ts": "arithmetic",
  "app/ui/lonely-card.ts": "the attribute of a grid with any number of cards",
  "db/patch-driver.ts": "bundles the driver as the build does",
  "app/domain/images/storage/cid.server.ts": "the hash that names a stored picture",
};

const topFolders = Object.keys(mayReach).sort((one, other) => other.length - one.length);
const topFolderOf = (file: string) => topFolders.find((name) => file.startsWith(`${name}/`)) ?? "outside";
const nounOf = (file: string) => /^app\/domain\/([^/]+)\//.exec(file)?.[1];
const isDoor = (file: string) => new RegExp(`/${nounOf(file)}(\\.server)?\\.tsx?$`).test(file);
const isServer = (file: string) => file.includes(".server.") || /^(app\/cli|app\/workers|db)\//.test(file);

const routeTable = sources.get("app/routes.ts")?.text ?? "";
const pages = new Set([...routeTable.matchAll(/"(routes\/[^"]+)"/g)].map(([, file]) => `app/${file}`));

const folders = new Set([...pages].map((file) => dirname(file)));

const arrows = arrowsOf(codeFiles);
const broken = (isBroken: (arrow: Arrow) => boolean, among = arrows) =>
  among.filter(isBroken).map(({ text }) => text);

describe("imports", () => {
  test("a top folder imports only the folders that the table allows", () => {
    const isAllowed = ({ from, to }: Arrow) =>
      forEveryFolder.has(to) || mayReach[topFolderOf(from)]?.includes(topFolderOf(to)) === true;
    expect(broken((arrow) => !isAllowed(arrow))).toEqual([]);
    for (const file of forEveryFolder)
      expect(imports.get(file)).toEqual(file === pathFiles[1] ? [paths] : []);
  });

  test("files import each other without cycles, type imports included", () => {
    expect(findCycles(new Map(codeFiles.map((file) => [file, imports.get(file) ?? []])))).toEqual([]);
  });

  test("nouns of the domain import each other without cycles", () => {
    const next = new Map<string, string[]>();
    for (const { from, to } of arrows) {
      const [one, other] = [nounOf(from), nounOf(to)];
      if (one && other && one !== other) next.set(one, [...(next.get(one) ?? []), other]);
    }
    expect(findCycles(next)).toEqual([]);
  });

  test("shelves of a noun, and of media, import each other without cycles", () => {
    const shelfOf = (file: string) => /^app\/(?:media|domain\/[^/]+)\/[^/]+(?=\/)/.exec(file)?.[0];
    const roomOf = (shelf: string) => dirname(shelf);
    const next = new Map<string, string[]>();
    for (const { from, to } of arrows) {
      const [one, other] = [shelfOf(from), shelfOf(to)];
      if (one && other && one !== other && roomOf(one) === roomOf(other))
        next.set(one, [...(next.get(one) ?? []), other]);
    }
    expect(findCycles(next)).toEqual([]);
  });

  test("a noun of the domain is imported through its door", () => {
    // A worker imports only the module that it runs, because the door would load the database too.
    const isWorker = (file: string) => file.startsWith("app/workers/");
    const isInside = ({ from, to }: Arrow) =>
      nounOf(to) !== undefined && nounOf(from) !== nounOf(to) && !isDoor(to) && !isWorker(from);
    expect(broken(isInside)).toEqual([]);
    const integration = testFiles.filter((file) => /^tests\/(integration|cluster|load|release)\//.test(file));
    expectOnly(
      testsBehindDoors,
      new Set(
        arrowsOf(integration)
          .filter(isInside)
          .map(({ from }) => from),
      ),
    );
  });

  test("only the backup migrates the site's database, so that a backup precedes every migration", () => {
    const mayMigrate = /^app\/domain\/backup\//;
    expect(broken(({ from, to }) => to === "db/migrate.ts" && !mayMigrate.test(from))).toEqual([]);
  });

  test("only server files import the database, and ui neither contains nor imports a server file", () => {
    // The enumerations import nothing, so files for the browser may import them.
    const isDatabase = (file: string) => file.startsWith("db/") && file !== "db/schema/enumerations.ts";
    expect(broken(({ from, to }) => isDatabase(to) && !isServer(from))).toEqual([]);
    expect(broken(({ from, to }) => from.startsWith("app/ui/") && isServer(to))).toEqual([]);
    expect(codeFiles.filter((file) => file.startsWith("app/ui/") && isServer(file))).toEqual([]);
  });
});

describe("the domain", () => {
  const domainFiles = codeFiles.filter((file) => file.startsWith("app/domain/"));

  test("contains no description of API parameters or answers", () => {
    const described: string[] = [];
    for (const file of domainFiles)
      eachNode(file, (node) => {
        if (ts.isPropertyAccessExpression(node) && /^(meta|describe)$/.test(node.name.text))
          described.push(`${file}: ${node.name.text}`);
      });
    expect(described).toEqual([]);
  });

  test("exports types with camelCase fields; the JSON names belong to app/wire", () => {
    const underscored: string[] = [];
    for (const file of domainFiles)
      eachNode(file, (node) => {
        if (!ts.isTypeAliasDeclaration(node) && !ts.isInterfaceDeclaration(node)) return;
        if (!node.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword)) return;
        const type = `${file}#${node.name.text}`;
        if (fileFormats.has(type)) return;
        const visit = (inner: ts.Node): void => {
          if (ts.isPropertySignature(inner) && inner.name.getText().includes("_"))
            underscored.push(`${type}.${inner.name.getText()}`);
          ts.forEachChild(inner, visit);
        };
        visit(node);
      });
    expect(underscored).toEqual([]);
  });
});

describe("titles", () => {
  test("every query of titles applies visibleTo, except those in the table", () => {
    const queries = titleQueries();
    expect(queries.length).toBeGreaterThan(20);
    expectOnly(
      Object.keys(queriesForAllTitles),
      queries.filter(({ asksViewer }) => !asksViewer).map(({ at }) => at),
    );
  });

  test("only the files in the table decide what a viewer may see, and none of them passes a boolean on", () => {
    expectOnly(Object.keys(filesAboutMature), namesOfMature());
    expect(callersOf("createViewer").sort()).toEqual([
      "app/access/viewer.server.ts",
      "app/domain/visibility/visibility.server.ts",
    ]);
  });
});

describe("http", () => {
  test("contains no word of this product; routes declare what depends on it", () => {
    const product =
      /anime|episode|poster|genre|(?<!pre)matur|parental|trailer|\bfilms?\b|watch.?list|mal_?id|studio|synopsis/i;
    const naming = codeFiles.filter(
      (file) => file.startsWith("app/http/") && product.test(sources.get(file)?.text ?? ""),
    );
    expect(naming).toEqual([]);
  });

  test("imports only the files of the domain that the table names", () => {
    const reached = arrows.filter(
      ({ from, to }) => from.startsWith("app/http/") && to.startsWith("app/domain/"),
    );
    expectOnly(Object.keys(domainOfHttp), new Set(reached.map(({ to }) => to)));
  });

  test("writes Cache-Control in one file; answers name a policy", () => {
    const writing = new Set<string>();
    for (const file of codeFiles)
      eachNode(file, (node) => {
        if (ts.isStringLiteralLike(node) && /^cache-control$/i.test(node.text) && writesHeader(node))
          writing.add(file);
      });
    expectOnly(Object.keys(writersOfCacheControl), writing);
  });
});

describe("pages", () => {
  test("are imported only by routes.ts, and the files beside them only from their own folder", () => {
    expect(pages.size).toBeGreaterThan(50);
    expect(broken(({ from, to }) => pages.has(to) && from !== "app/routes.ts")).toEqual([]);
    const isPrivate = (file: string) => file.startsWith("app/routes/") && !pages.has(file);
    expect(broken(({ from, to }) => isPrivate(to) && !from.startsWith(`${pageFolder(to)}/`))).toEqual([]);
  });

  test("every module of ui is used by two pages or by root.tsx", () => {
    const users = new Map<string, number>();
    for (const page of pages)
      for (const file of reachableFrom(page)) users.set(file, (users.get(file) ?? 0) + 1);
    const shell = reachableFrom("app/root.tsx");
    const single = codeFiles.filter(
      (file) => file.startsWith("app/ui/") && (users.get(file) ?? 0) < 2 && !shell.has(file),
    );
    expect(single).toEqual([]);
  });

  test("every page or endpoint that writes has the sameOrigin middleware", () => {
    const changes =
      /\b(?:function action|const action = async)\b|operation\((?:method|"(?:POST|PUT|PATCH|DELETE)")/;
    const checksOrigin = /\bmiddleware\b[^=]*= \[[^;]*\bsameOrigin(?:Page)?\b/;
    const textOf = (file: string) => sources.get(file)?.text ?? "";
    // Endpoints with several addresses import their operations from a file beside them.
    const writes = (file: string) =>
      [file, ...(imports.get(file) ?? []).filter((one) => one.startsWith("app/routes/api/"))].some((one) =>
        changes.test(textOf(one)),
      );
    const writing = [...pages].filter((file) => /\baction\b/.test(textOf(file)) && writes(file));
    expect(writing).toContain("app/routes/api/user/watch-list-add.ts");
    expect(writing.filter((file) => !checksOrigin.test(textOf(file)))).toEqual([]);
  });

  test("loaders write nothing, except those in the table", () => {
    const writes =
      /^(add|change|claim|clear|create|delete|edit|forget|insert|record|remove|rename|replace|restore|save|set|store|undo|update)[A-Z]/;
    const written: string[] = [];
    for (const file of pages) {
      // An endpoint declares its operations and their methods, so its loader is no page loader.
      if (!file.endsWith(".tsx")) continue;
      const fromServer = importedFromServer(file);
      for (const called of calledBy(file, "loader"))
        if (writes.test(called) && fromServer.has(called)) written.push(`${file}#${called}`);
    }
    expectOnly(Object.keys(loadersThatWrite), written);
  });

  test("no file except paths.ts and admin-paths.ts contains a path of this site", () => {
    const segments = new Set(
      [...routeTable.matchAll(/(?:route\(|\[|, )"([a-z]+)[^"]*"(?=,|\])/g)].map(
        ([, segment]) => segment ?? "",
      ),
    );
    const staticFiles = new Set(readdirSync("public").map((file) => `/${file}`));
    const isSitePath = (text: string, node: ts.Node) =>
      (text === "/" && isLinkTarget(node)) ||
      (segments.has(/^\/([a-z-]+)(?=[/?#.]|$)/i.exec(text)?.[1] ?? "") && !staticFiles.has(text));
    const pathsFound: string[] = [];
    for (const file of codeFiles.filter(
      (one) => one.startsWith("app/") && one !== "app/routes.ts" && !pathFiles.includes(one),
    ))
      eachNode(file, (node) => {
        const text = ts.isStringLiteralLike(node)
          ? node.text
          : ts.isTemplateExpression(node)
            ? node.head.text
            : "";
        if (isSitePath(text, node)) pathsFound.push(`${file}: ${text}`);
      });
    expectOnly(pathPrefixes, new Set(pathsFound));
  });
});

describe("tests and ops", () => {
  test("every unit test has the path of the module that it tests", () => {
    const isMirrored = (file: string) => {
      const stem = file.replace(/^tests\/unit\//, "").replace(/(\.isolated)?\.test\.tsx?$/, "");
      const modules = [".ts", ".tsx", ".server.ts", ".server.tsx"].flatMap((ending) => [
        `app/${stem}${ending}`,
        `${stem}${ending}`,
      ]);
      return modules.some((module) => sources.has(module));
    };
    const units = testFiles.filter((file) => /^tests\/unit\/.*\.test\.tsx?$/.test(file));
    expect(units.filter((file) => !isMirrored(file)).sort()).toEqual(Object.keys(testsOfMore).sort());
  });

  test("a unit or integration test that uses the environment or replaces a module is named .isolated.test.ts or .slow.test.ts, because the others share one module graph", () => {
    const sharing = testFiles.filter(
      (file) =>
        /^tests\/(unit|integration)\/(?!architecture).*\.test\.tsx?$/.test(file) &&
        !/\.(isolated|slow)\./.test(file),
    );
    const changesModules = /process\.env\b|vi\.(mock|doMock|resetModules|stubEnv)\b/;
    expect(sharing.filter((file) => changesModules.test(sources.get(file)?.text ?? ""))).toEqual([]);
  });

  test("unit tests import neither the database nor the whole application", () => {
    const units = testFiles.filter((file) => file.startsWith("tests/unit/"));
    expect(
      broken(
        ({ to }) => to === "db/client.server.ts" || to === "tests/support/site/in-process.ts",
        arrowsOf(units),
      ),
    ).toEqual([]);
  });

  test("browser tests import nothing of the site except the modules in the table", () => {
    const outside = testFiles.filter((file) => /^tests\/(e2e|journeys|players|system)\//.test(file));
    const inside = arrowsOf(outside).filter(({ to }) => /^(app|db)\//.test(to));
    expectOnly(Object.keys(browserTestsMayImport), new Set(inside.map(({ to }) => to)));
  });

  test("ops imports packages only by import(), because it must start before they are installed", () => {
    const isLate = (file: string, specifier: string) =>
      sources.get(file)?.text.includes(`import("${specifier}")`) === true;
    const early = opsFiles
      .filter((file) => !file.startsWith("ops/film/"))
      .flatMap((file) => specifiersOf(file).map((specifier) => ({ file, specifier })))
      .filter(({ file, specifier }) => !/^(node:|\.)/.test(specifier) && !isLate(file, specifier));
    expect(early).toEqual([]);
  });
});

describe("exports", () => {
  test("every export has an importer", () => {
    const taken = importedNames();
    const isTaken = (file: string, name: string) =>
      taken.get(file)?.has(name) === true || taken.get(file)?.has("*") === true;
    const isForFramework = (file: string, name: string) =>
      frameworkExports.has(name) &&
      (pages.has(file) || /^app\/(root|routes|entry\.server)\.tsx?$/.test(file));
    const supportFiles = testFiles.filter(
      (file) => file.startsWith("tests/support/") && !file.endsWith(".d.ts"),
    );
    const unused = [...codeFiles, ...opsFiles, ...supportFiles].flatMap((file) =>
      exportsOf(file)
        .filter((name) => !isTaken(file, name) && !isForFramework(file, name))
        .map((name) => `${file}#${name}`),
    );
    expectOnly(Object.keys(loadedByName), unused);
  });
});

describe("names", () => {
  test("an exported name is declared in one file, so that it has one meaning", () => {
    const files = new Map<string, Set<string>>();
    // Each file of app/cli exports its tool.
    for (const file of codeFiles)
      for (const name of declaredIn(file))
        if (!frameworkExports.has(name) && name !== "tool")
          files.set(name, (files.get(name) ?? new Set()).add(file));
    const twice = [...files].filter(([, declaring]) => declaring.size > 1);
    expect(twice.map(([name, declaring]) => `${name}: ${[...declaring].join(", ")}`)).toEqual([]);
  });

  test("no file or folder has a vague name", () => {
    expect([...sources.keys()].filter((file) => vagueNames.test(file))).toEqual([]);
  });
});

/** Expects the exceptions of a rule to be exactly the violations. An unused exception would hide the next violation. */
function expectOnly(exceptions: Iterable<string>, found: Iterable<string>) {
  expect([...found].sort()).toEqual([...exceptions].sort());
}

/** True for the target of a link or form in JSX, and for the target of a redirect. */
function isLinkTarget({ parent }: ts.Node) {
  if (ts.isJsxAttribute(parent)) return /^(to|href|action)$/.test(parent.name.getText());
  return ts.isCallExpression(parent) && parent.expression.getText() === "redirect";
}

/** True for the name in `{ "Name": value }`, `{ ["Name"]: value }`, `headers["Name"] = value`, `set("Name", value)` and pairs. */
function writesHeader(name: ts.Node): boolean {
  const { parent } = name;
  if (ts.isComputedPropertyName(parent)) return writesHeader(parent);
  if (ts.isPropertyAssignment(parent)) return parent.name === name;
  if (ts.isArrayLiteralExpression(parent)) return parent.elements.length === 2 && parent.elements[0] === name;
  if (ts.isElementAccessExpression(parent))
    return (
      ts.isBinaryExpression(parent.parent) &&
      parent.parent.left === parent &&
      parent.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    );
  // A policy is the only value that may be set: `set("Cache-Control", policy.control)`.
  return (
    ts.isCallExpression(parent) &&
    /\b(set|append|setHeader)$/.test(parent.expression.getText()) &&
    parent.arguments[0] === name &&
    !/\.control$/.test(parent.arguments[1]?.getText() ?? "")
  );
}

/** The names that a function of a file calls, directly or through other functions of the same file. */
function calledBy(file: string, start: string): Set<string> {
  const functions = new Map<string, ts.Node>();
  eachNode(file, (node) => {
    if ((ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && node.name)
      functions.set(node.name.getText(), node);
  });
  const called = new Set<string>();
  const follow = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isIdentifier(node) && !called.has(node.text)) {
      called.add(node.text);
      follow(functions.get(node.text));
    }
    ts.forEachChild(node, follow);
  };
  follow(functions.get(start));
  return called;
}

/** The nearest folder above a file that holds a page. */
function pageFolder(file: string): string {
  const folder = dirname(file);
  return folders.has(folder) || folder === "app/routes" ? folder : pageFolder(folder);
}

/** Names that a file imports from server modules. A loader may call other functions, because only server modules write. */
function importedFromServer(file: string): Set<string> {
  const names = new Set<string>();
  eachNode(file, (node) => {
    if (!ts.isImportDeclaration(node) || !node.moduleSpecifier.getText().includes(".server")) return;
    const bindings = node.importClause?.namedBindings;
    if (bindings && ts.isNamedImports(bindings))
      for (const one of bindings.elements) names.add(one.name.text);
  });
  return names;
}
