import { redirect } from "react-router";
import { z } from "zod";
import { getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit, viewerOf } from "#app/access/viewer.server.ts";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { makeWish, maxOpenWishes, takesWishes, takeWishBack } from "#app/domain/library/library.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { browsePath, type WishesNotice, wishesPath } from "#app/paths.ts";
import { noticeIn } from "#app/routes/views/notice.server.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { malIdInput } from "#app/wire/forms/mal-id.server.ts";
import type { Route } from "./+types/wishes";
import { WishRows } from "./wish-rows.tsx";
import { getOwnWishes } from "./wishes-view.server.ts";

/** A member's wishes. The form on a title's page posts to this page, which redirects back. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "My wishes",
    description: "The titles and episodes that you asked the operators for.",
  });

const notices: Record<WishesNotice, string> = {
  made: "Your wish is made.",
  "taken-back": "Your wish is taken back.",
};

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const { viewer, preferences, timeZone } = await getVisit(request, context);
  return {
    notice: noticeIn(url, notices),
    most: maxOpenWishes,
    isOff: !takesWishes(),
    ...(await getOwnWishes(user.id, viewer, { titleLanguage: preferences.titleLanguage, timeZone })),
  };
}

const change = z.object({
  intent: z.enum(["wish", "take-back"]),
  id: malIdInput,
  episode: z.coerce.number().int().min(1).max(maxEpisodeNumber).optional(),
  redirectTo: z.string().optional(),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const { intent, id, episode = null, redirectTo } = form.value;
  const wished = { malId: id, episode };
  const user = getCurrentUser(context);
  if (intent === "take-back") await takeWishBack(user.id, wished);
  else {
    const made = await makeWish(user, wished, viewerOf(user));
    if (!made.ok) return formErrorResponse(made);
  }
  const ownPage = wishesPath({ notice: intent === "wish" ? "made" : "taken-back" });
  throw redirect(redirectTo === undefined ? ownPage : safeRedirectTarget(redirectTo, url.origin));
}

export default function Wishes({ loaderData: page, actionData }: Route.ComponentProps) {
  const { open, fulfilled, gone } = page;
  return (
    <div className="wrap page wishes">
      <h1>My wishes</h1>
      <p className="lead">
        Titles and episodes that you asked the operators of this site for, up to {page.most} at a time. They
        see how many members wish for each, and not who.
        {page.isOff && " This site takes no new wishes now."}
      </p>
      <ErrorSummary message={actionData?.message} answer={actionData} />
      {page.notice !== null && !actionData && <Notice>{page.notice}</Notice>}
      {fulfilled.length > 0 && (
        <section aria-labelledby="here">
          <h2 id="here">Here now</h2>
          <WishRows wishes={fulfilled} intent="take-back" label="Remove" />
        </section>
      )}
      {open.length > 0 ? (
        <section aria-labelledby="open">
          <h2 id="open">Not here yet</h2>
          <p className="quiet">
            {open.length} of {page.most}. A wish ends by itself when what you wished for can be watched here,
            and the home page shows it.
          </p>
          <WishRows wishes={open} intent="take-back" label="Take back" />
        </section>
      ) : (
        <NoWish isOff={page.isOff} />
      )}
      {gone.length > 0 && (
        <section aria-labelledby="gone">
          <h2 id="gone">Gone again</h2>
          <p className="quiet">These could be watched here for a while. That ended your wishes for them.</p>
          <WishRows
            wishes={gone}
            intent={page.isOff ? "take-back" : "wish"}
            label={page.isOff ? "Remove" : "Wish again"}
          />
        </section>
      )}
    </div>
  );
}

const NoWish = ({ isOff }: { isOff: boolean }) => (
  <section className="message list-empty" aria-label="Wishes">
    <h2>You have no open wishes</h2>
    {!isOff && (
      <p className="lead">
        What would you like to watch here? The page of a title or an episode that cannot be watched here has a
        button to wish for it.
      </p>
    )}
    <p className="message-actions">
      <Link className="button" data-kind="primary" to={browsePath()}>
        Browse titles
      </Link>
    </p>
  </section>
);
