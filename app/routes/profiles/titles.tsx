import { Form, redirect } from "react-router";
import { z } from "zod";
import { getCurrentUser, ownerPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { titleLanguageFor, viewerOf } from "#app/access/viewer.server.ts";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { chooseTitle, listHouseholdTitles } from "#app/domain/household/household.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { type HouseholdTitlesNotice, householdPath, householdTitlesPath, titlePath } from "#app/paths.ts";
import { noticeIn } from "#app/routes/views/notice.server.ts";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { Link, LinkLine } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";
import { malIdInput } from "#app/wire/forms/mal-id.server.ts";
import type { Route } from "./+types/titles";

/** The owner allows and blocks titles for the children of the household. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, ownerPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Titles for children",
    description: "What the children of this household see.",
  });

const notices: Record<HouseholdTitlesNotice, string> = {
  allowed: "Allowed.",
  blocked: "Blocked.",
  removed: "Neither allowed nor blocked any more.",
};

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const chosen = await listHouseholdTitles(user.accountId);
  const verdicts = new Map(chosen.map(({ malId, verdict }) => [malId, verdict]));
  const titles = await listTitlesById([...verdicts.keys()], viewerOf(user));
  const language = titleLanguageFor(request, user.preferences);
  return {
    notice: noticeIn(url, notices),
    titles: titles.map((title) => ({
      ...nameIn(title, language),
      malId: title.malId,
      path: titlePath(title.malId, title.title),
      verdict: verdicts.get(title.malId) ?? "blocked",
    })),
  };
}

const choice = z.object({
  id: malIdInput,
  verdict: z.enum(["allowed", "blocked", "none"]),
  franchise: z.literal("1").optional(),
  redirectTo: z.string().optional(),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(choice, request);
  if (!form.ok) return formErrorResponse(form);
  const { id: malId, verdict: named, franchise, redirectTo } = form.value;
  const user = getCurrentUser(context);
  const verdict = named === "none" ? null : named;
  const chosen = await chooseTitle(
    user,
    { malId, verdict, withFranchise: franchise === "1" },
    viewerOf(user),
  );
  if (!chosen.ok) return formErrorResponse(chosen);
  const ownPage = householdTitlesPath({ notice: verdict ?? "removed" });
  throw redirect(redirectTo === undefined ? ownPage : safeRedirectTarget(redirectTo, url.origin));
}

const groups = [
  ["allowed", "Allowed", "None yet. Open the page of a title to allow it."],
  ["blocked", "Blocked", "None yet. Open the page of a title to block it."],
] as const;

export default function HouseholdTitles({ loaderData: page, actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page settings">
      <h1>Titles for children</h1>
      <p className="lead">
        The children of this household see an allowed title whatever its rating is, and never see a blocked
        one. Parental control still hides titles for adults.
      </p>
      <ErrorSummary message={actionData?.message} answer={actionData} />
      {page.notice !== null && !actionData && <Notice>{page.notice}</Notice>}
      {groups.map(([verdict, heading, emptyText]) => {
        const titles = page.titles.filter((title) => title.verdict === verdict);
        return (
          <section className="settings-section" aria-labelledby={verdict} key={verdict}>
            <h2 id={verdict}>{heading}</h2>
            {titles.length === 0 ? (
              <p className="quiet">{emptyText}</p>
            ) : (
              <ul className="settings-rows">
                {titles.map((title) => (
                  <ChosenTitle key={title.malId} {...title} />
                ))}
              </ul>
            )}
          </section>
        );
      })}
      <LinkLine to={householdPath()}>Household</LinkLine>
    </div>
  );
}

function ChosenTitle({ malId, path, name, lang }: Route.ComponentProps["loaderData"]["titles"][number]) {
  return (
    <li ref={useFocusPassedOn()}>
      <Link to={path} lang={lang}>
        {name}
      </Link>
      <Form method="post">
        <input type="hidden" name="id" value={malId} />
        <button
          className="button"
          data-kind="ghost"
          data-size="small"
          type="submit"
          name="verdict"
          value="none"
        >
          Remove
          <span className="visually-hidden"> {name}</span>
        </button>
      </Form>
    </li>
  );
}
