import ts from "typescript";
import { describe, expect, test } from "vitest";
import { expectOnly } from "#tests/support/checks/rules.ts";
import { codeFiles, eachNode } from "#tests/support/checks/source-files.ts";
import { callersOf, namesOfMature, titleQueries } from "#tests/support/checks/title-queries.ts";

/** Exported types of the domain that have the field names of a file format. */
const fileFormats = new Set(["app/domain/library/files/json-lists.ts#OwnFileEntry"]);

/** Queries of `titles` that do not apply `visibleTo`, each with the reason. */
const queriesForAllTitles: Record<string, string> = {
  "app/domain/catalog-import/write-titles.server.ts#readRows": "an import compares with what is stored",
  "app/domain/catalog-import/write-children.server.ts#lockKnownTitles": "an import writes episodes of titles",
  "app/domain/catalog-import/tags/tags.server.ts#listUnknownNames":
    "numbers the genres and companies of every title, without titles",
  "app/domain/catalog-import/title-keys.server.ts#fillTitleKeys": "the start fills in a column",
  "app/domain/catalog-import/title-keys.server.ts#fillSome": "the start fills in a column",
  "app/domain/catalog-editing/edit-title.server.ts#lockTitle": "an operator edits a title",
  "app/domain/catalog-editing/edited-fields.server.ts#columnsField": "as lockTitle",
  "app/domain/catalog-editing/local-title-rows.server.ts#insertLocalTitle":
    "asks for a number that no title has",
  "app/domain/catalog-editing/local-title-rows.server.ts#lockTitles": "as lockTitle",
  "app/domain/catalog-editing/local-title-rows.server.ts#replaceTitle": "deletes a local title",
  "app/domain/franchises/renewal.server.ts#readTitles":
    "computes the order of all titles; the rows are read with visibleTo",
  "app/domain/local-titles/replace-by-ids.server.ts#listReplacements":
    "finds the titles that replace local ones",
  "app/domain/catalog-editing/edited-title.server.ts#getEditedTitle": "a page of operators",
  "app/domain/catalog-editing/edited-title.server.ts#listEditedRelations": "a page of operators",
  "app/domain/catalog-sharing/title-pages.server.ts#titleBytes": "only measures titles",
  "app/domain/catalog-sharing/title-pages.server.ts#titlesOfPage":
    "only measures titles; its callers select them, and read the rows with visibleTo",
  "app/domain/catalog-sharing/export.server.ts#idRanges": "only counts ids; the rows are read with visibleTo",
  "app/domain/images/image-proxy-access.server.ts#getPictureHosts":
    "the hosts that the image proxy may reach, without titles",
  "app/domain/catalog-editing/hidden-titles.server.ts#setHidden":
    "an operator hides a title, or shows it again",
  "app/domain/catalog-editing/hidden-titles.server.ts#selectHidden": "the operators' list of hidden titles",
  "app/domain/library/files/export-list.server.ts#selectAfter": "a member's file holds the whole list",
  "app/domain/library/files/import-person.server.ts#addViews":
    "a member's file comes in whole; it shows no title",
  "app/domain/library/files/import-person.server.ts#addResumePoints": "as addViews",
  "app/domain/library/files/import-person.server.ts#addTrackChoices": "as addViews",
  "app/domain/library/files/import-person.server.ts#addDismissals": "as addViews",
  "app/domain/library/files/import-account.server.ts#addVerdicts": "as addViews",
  "app/domain/library/moved-title.server.ts#membersLocalTitles": "a member's file names all titles in it",
  "app/domain/library/list/list-rows.server.ts#lockExistingTitles":
    "locks titles that findListedTitles has judged",
  "app/domain/local-titles/title-of-films.server.ts#findLocalTitle": "an operator names a title",
  "app/domain/films/records/film-records.server.ts#filmsOfEpisodes": "a page of operators",
  "app/domain/scanning/deciding/decide.server.ts#check": "an operator names a title",
  "app/domain/scanning/deciding/decide.server.ts#describeDecision": "the operators' list of events",
  "app/domain/scanning/scan/film-registration.server.ts#addSources": "a scan registers films of titles",
  "app/domain/scanning/scan/film-registration.server.ts#addSubtitles": "as addSources",
  "app/domain/scanning/folder-facts/folder-facts.server.ts#listTitlesToFill":
    "fills in texts and pictures of titles, and shows none",
  "app/domain/films/records/present-films.server.ts#listIncompleteTitles": "a page of operators",
  "app/domain/details/queue.server.ts#refreshReasons": "asks for details of titles, and shows none",
  "app/domain/details/queue.server.ts#recordOpened": "as refreshReasons",
  "app/domain/details/queue.server.ts#recordListed": "as refreshReasons",
  "app/domain/details/progress.server.ts#getDetailProgress": "a page of operators",
  "app/domain/playback/sources/failed-plays.server.ts#listFailedPlays": "a page of operators",
  "app/domain/playback/sources/sources.server.ts#isTitle": "operators register sources",
  "app/domain/playback/sources/sources.server.ts#listSources": "pages and commands of operators",
  "app/domain/playback/sources/sources.server.ts#listSubtitles": "pages and commands of operators",
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
