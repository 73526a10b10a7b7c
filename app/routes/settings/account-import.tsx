import { data } from "react-router";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { isOwner } from "#app/domain/accounts/accounts.ts";
import { importAccount, withUploadedAccount } from "#app/domain/library/library.server.ts";
import { readPageFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { pinPath, settingsPath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { Link, LinkLine } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { parsePictureUrl } from "#app/wire/picture-url.server.ts";
import type { Route } from "./+types/account-import";

/** Imports an account file, from this site or from another site, into this account. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Import my data", description: "Bring the file of an account into this one." });

export const loader = ({ context }: Route.LoaderArgs) => ({ isOwner: isOwner(getCurrentUser(context)) });

type Answer =
  | { kind: "refused"; message: string }
  | { kind: "report"; lines: string[]; skipped: { field: string; why: string }[] };
type Report = Awaited<ReturnType<typeof importAccount>>;

export async function action({ request, context }: Route.ActionArgs) {
  const session = getCurrentSession(context);
  const options = {
    viewer: viewerOf(session.user),
    storedPicture: (address: string) => parsePictureUrl(address, context),
    actor: memberOf(context),
  };
  const imported = await readPageFile(request, context, (uploaded) =>
    withUploadedAccount(uploaded, (file) =>
      importAccount(session, file, { ...options, scratch: uploaded.file }),
    ),
  );
  if (imported.kind === "refused") return data<Answer>(imported, { status: imported.status });
  return data<Answer>({
    kind: "report",
    lines: linesOf(imported.value),
    skipped: imported.value.skipped,
  });
}

const plural = (count: number, noun: string, rest: string) => `${countText(count, noun)} ${rest}`;

/** Only counts: the page of the list shows the entries. */
function countsText({ watchList, views, resumePoints }: Omit<Report, "profiles" | "householdTitles">) {
  const { added, changed, hidden } = watchList;
  return [
    plural(added.count + changed.count + hidden, "title", "on the list"),
    plural(views, "episode", "of the history"),
    plural(resumePoints, "place", "where you stopped"),
  ].join(", ");
}

function linesOf({ profiles, householdTitles, ...own }: Report): string[] {
  return [
    `Your profile: ${countsText(own)}.`,
    ...profiles.map(({ name, isNew, report }) => {
      const what = isNew ? "a new profile" : "a profile that was here";
      return `${name}, ${what}${report ? `: ${countsText(report)}` : ""}.`;
    }),
    ...(householdTitles > 0
      ? [`${plural(householdTitles, "title", "allowed or blocked for the children")}.`]
      : []),
  ];
}

export default function AccountImport({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page settings">
      <h1>Import my data</h1>
      <p className="lead">
        Choose the file that “Download my data” made, here or on another Engawa. What this account has stays:
        lists are joined, and only empty fields are filled. No file holds a password or a PIN.
      </p>
      {loaderData.isOwner && (
        <p className="quiet">
          The file of a household also brings its other profiles. Before it brings children,{" "}
          <Link className="link" to={pinPath()}>
            set your PIN
          </Link>
          .
        </p>
      )}
      {actionData?.kind === "refused" && <ErrorSummary message={actionData.message} answer={actionData} />}
      {actionData?.kind === "report" && <ImportReport {...actionData} />}
      <OnceForm encType="multipart/form-data" className="stack">
        <div className="field">
          <label htmlFor="account-file">The file of an account (JSON)</label>
          <input id="account-file" type="file" name="file" required accept=".json,.gz,application/json" />
        </div>
        <button className="button settings-save" data-kind="primary" type="submit">
          Import
        </button>
      </OnceForm>
      <LinkLine to={settingsPath()}>Settings</LinkLine>
    </div>
  );
}

function ImportReport({ lines, skipped }: Extract<Answer, { kind: "report" }>) {
  return (
    <>
      <Notice>The file is imported.</Notice>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {skipped.length > 0 && (
        <>
          <h2>What was not imported</h2>
          <ul>
            {skipped.map(({ field, why }) => (
              <li key={field + why}>
                {field}: {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
