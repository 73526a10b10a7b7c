import { data, useNavigation } from "react-router";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { importSentCatalog, type SentCatalogReport } from "#app/domain/feeds/feeds.server.ts";
import { readPageFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/catalog-file";
import { AdminPage } from "./admin-page.tsx";

/** Imports a file of titles into the catalog, for operators without a command line. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "A file of titles", description: "Bring a file of titles into the catalog." });

type Answer = { message: string } | { notice: string; rejected: string[] };

export async function action({ request, context }: Route.ActionArgs) {
  const actor = operatorOf(context);
  const imported = await readPageFile(request, context, ({ file }) => importSentCatalog(file, actor));
  if (imported.kind === "refused")
    return data<Answer>({ message: `${imported.message}.` }, { status: imported.status });
  const { rejected } = imported.value;
  return data<Answer>({
    notice: noticeOf(imported.value),
    rejected: rejected.map(({ where, reason }) => `${where}: ${reason}`),
  });
}

function noticeOf({ titles, details, leftOut, rejectedCount, brokenOff }: SentCatalogReport): string {
  const countsText = ({ added, changed, unchanged }: typeof titles) =>
    `${added} new, ${changed} changed, ${unchanged} as before.`;
  const hasDetails = Object.values(details).some((count) => count > 0);
  return [
    `Titles: ${countsText(titles)}`,
    ...(hasDetails ? [`Relations, episodes and videos: ${countsText(details)}`] : []),
    ...(leftOut > 0 ? [`Left out as adult: ${leftOut}.`] : []),
    ...(rejectedCount > 0 ? [`Refused: ${rejectedCount}.`] : []),
    ...(brokenOff === null ? [] : [`${brokenOff}. What came before that point is imported.`]),
  ].join(" ");
}

export default function CatalogFile({ actionData }: Route.ComponentProps) {
  const isSending = useNavigation().formMethod === "POST";
  const rejected = actionData && "rejected" in actionData ? actionData.rejected : [];
  return (
    <AdminPage
      title="A file of titles"
      lead="From another Engawa (NDJSON), the anime-offline-database or a Jikan server, plain or compressed with gzip or zstd, up to 32 MB."
      answer={actionData}
    >
      <p>
        Titles that are here get the values of the file; what you changed stays, and nothing is deleted. It
        can take some minutes, and goes on if you leave this page.
      </p>
      <OnceForm encType="multipart/form-data" className="admin-line">
        <label className="field">
          <span className="field-name">File</span>
          <input type="file" name="file" required />
        </label>
        <button className="button" data-kind="primary" type="submit" aria-disabled={isSending}>
          {isSending ? "Importing…" : "Import"}
        </button>
      </OnceForm>
      {rejected.length > 0 && (
        <section aria-labelledby="refused">
          <h2 id="refused">What was refused</h2>
          <ul>
            {rejected.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
    </AdminPage>
  );
}
