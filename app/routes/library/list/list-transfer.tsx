import { Suspense, useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { listExportApiPath, listImportPath } from "#app/paths.ts";
import { DownloadIcon, UploadIcon } from "#app/ui/icons/tool-icons.tsx";
import { late } from "#app/ui/late.tsx";
import { LinkLine } from "#app/ui/link.tsx";
import type { ListImportAnswer } from "./import-result.tsx";

/** Loaded only where it is shown. */
const ImportResult = late(() => import("./import-result.tsx").then((part) => part.ImportResult));

/** Imports a list from another site, and exports this one. `canImportByName`: the site may fetch lists from AniList. */
export function ListTransfer({ canImportByName }: { canImportByName: boolean }) {
  return (
    <details className="list-transfer">
      <summary className="link">
        <UploadIcon />
        <span>Import and export</span>
      </summary>
      {/* The id is inside the details element, so that a link to it opens the details. */}
      <div className="list-transfer-body" id="transfer">
        <ImportForm />
        {canImportByName && <LinkLine to={listImportPath()}>Import from AniList by your name there</LinkLine>}
        <p className="list-transfer-buttons">
          <a className="button" data-kind="ghost" href={listExportApiPath("xml")} download>
            <DownloadIcon />
            Export for MyAnimeList
          </a>
          <a className="button" data-kind="ghost" href={listExportApiPath("anilist")} download>
            <DownloadIcon />
            Export for AniList (JSON)
          </a>
          <a className="button" data-kind="ghost" href={listExportApiPath("json")} download>
            <DownloadIcon />
            Export everything (JSON)
          </a>
        </p>
      </div>
    </details>
  );
}

type ImportProps = {
  /** The answer to the form when it was sent without scripts. */
  answer?: ListImportAnswer | undefined;
  redirectTo?: string | undefined;
};

export function ImportForm({ answer, redirectTo }: ImportProps) {
  const fetcher = useFetcher<ListImportAnswer>({ key: "list-import" });
  const isBusy = fetcher.state !== "idle";
  const shown = useLatest(fetcher.data, answer);
  const result = shown && (
    <Suspense>
      <ImportResult answer={shown} />
    </Suspense>
  );
  return (
    <>
      {answer && result}
      <fetcher.Form
        method="post"
        action={listImportPath({ redirectTo })}
        encType="multipart/form-data"
        className="stack"
        // A second submission would discard the report of the first, with its Undo.
        onSubmit={(event) => isBusy && event.preventDefault()}
      >
        <div className="field">
          <label htmlFor="list-file">A list from MyAnimeList (XML), AniList (JSON) or this site</label>
          <input
            id="list-file"
            type="file"
            name="file"
            required
            accept=".xml,.gz,.json,application/json,text/xml"
            aria-describedby="list-file-help"
          />
          <p className="quiet" id="list-file-help">
            On MyAnimeList, the file comes from “Export My List”. For AniList, use an export tool: the export
            in AniList's own settings names titles only by its own numbers.
          </p>
        </div>
        <label className="check">
          <input type="checkbox" name="scores" value="replace" /> Replace my scores with those of the file
        </label>
        <p className="list-transfer-buttons">
          <button className="button" type="submit" name="intent" value="preview" aria-disabled={isBusy}>
            Show what would change
          </button>
          <button
            className="button"
            data-kind="primary"
            type="submit"
            name="intent"
            value="import"
            aria-disabled={isBusy}
          >
            Import
          </button>
        </p>
      </fetcher.Form>
      {!answer && result}
    </>
  );
}

/** The answer that came last: to the form for a file, or to another form of the page that imports a list. */
function useLatest(ofFile: ListImportAnswer | undefined, ofPage: ListImportAnswer | undefined) {
  const [latest, setLatest] = useState(ofPage);
  useEffect(() => setLatest(ofPage), [ofPage]);
  useEffect(() => {
    if (ofFile) setLatest(ofFile);
  }, [ofFile]);
  return latest;
}
