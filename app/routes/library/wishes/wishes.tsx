import { redirect } from "react-router";
import { z } from "zod";
import { viewerOf } from "#app/api/access/viewer.server.ts";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import {
  listOwnWishes,
  makeWish,
  maxOpenWishes,
  takesWishes,
  takeWishBack,
} from "#app/domain/library/library.server.ts";
import { getCurrentUser, grownUpPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { type WishesNotice, wishesPath } from "#app/paths.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { TitleRows, toTitleRow } from "#app/ui/forms/title-rows.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/wishes";

/** A member's wishes. The form on a title's page sends to this page, and is led back. */
export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "My wishes", description: "The films that you asked the operators for." });

const notices: Record<WishesNotice, string> = {
  made: "Your wish is made.",
  "taken-back": "Your wish is taken back.",
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const viewer = viewerOf(user);
  const wishes = await listOwnWishes(user.id, viewer);
  const titles = await listTitlesById([...wishes.open, ...wishes.fulfilled, ...wishes.gone], viewer);
  const rows = titles.map((title) => toTitleRow(title, user.preferences.titleLanguage));
  const rowsOf = (ids: readonly number[]) => rows.filter(({ malId }) => ids.includes(malId));
  const notice = url.searchParams.get("notice") ?? "";
  return {
    notice: Object.hasOwn(notices, notice) ? notices[notice as WishesNotice] : null,
    most: maxOpenWishes,
    isOff: !takesWishes(),
    open: rowsOf(wishes.open),
    fulfilled: rowsOf(wishes.fulfilled),
    gone: rowsOf(wishes.gone),
  };
}

const wishing = { name: "intent", value: "wish" };
const takingBack = { name: "intent", value: "take-back" };

const change = z.object({
  intent: z.enum(["wish", "take-back"]),
  id: z.coerce.number().int().min(1).max(2_000_000_000),
  redirectTo: z.string().optional(),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const { intent, id, redirectTo } = form.value;
  const user = getCurrentUser(context);
  if (intent === "take-back") await takeWishBack(user.id, id);
  else {
    const made = await makeWish(user, id, viewerOf(user));
    if (!made.ok) return formErrorResponse(made);
  }
  const ownPage = wishesPath({ notice: intent === "wish" ? "made" : "taken-back" });
  throw redirect(redirectTo === undefined ? ownPage : safeRedirectTarget(redirectTo, url.origin));
}

export default function Wishes({ loaderData: page, actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page settings">
      <h1>My wishes</h1>
      <p className="lead">
        Films that you asked the operators of this site for, up to {page.most} at a time. They see how many
        members wish for a film, and not who.
        {page.isOff && " This site takes no new wishes now."}
      </p>
      <ErrorSummary message={actionData?.message} answer={actionData} />
      {page.notice !== null && !actionData && <Notice>{page.notice}</Notice>}
      <section className="settings-section" aria-labelledby="open">
        <h2 id="open">Open</h2>
        <TitleRows titles={page.open} button={{ ...takingBack, label: "Take back" }} />
        {page.open.length === 0 && (
          <p className="quiet">
            None.{!page.isOff && " The page of a title without a film has the button to wish for it."}
          </p>
        )}
      </section>
      {page.fulfilled.length > 0 && (
        <section className="settings-section" aria-labelledby="here">
          <h2 id="here">Here now</h2>
          <TitleRows titles={page.fulfilled} button={{ ...takingBack, label: "Remove" }} />
        </section>
      )}
      {page.gone.length > 0 && (
        <section className="settings-section" aria-labelledby="gone">
          <h2 id="gone">Gone again</h2>
          <p className="quiet">These films came and went away. That ended your wishes for them.</p>
          <TitleRows
            titles={page.gone}
            button={page.isOff ? { ...takingBack, label: "Remove" } : { ...wishing, label: "Wish again" }}
          />
        </section>
      )}
    </div>
  );
}
