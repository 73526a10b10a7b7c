import { operatorPage } from "#app/access/guards/guard.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import { listWishedTitles, takesWishes } from "#app/domain/library/library.server.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/wishes";
import { AdminPage, AdminTable, StackedCell, StackedRow, TitleCell } from "./admin-page.tsx";
import { withTitleNames } from "./title-names.server.ts";

export const middleware: Route.MiddlewareFunction[] = [operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Wishes", description: "The titles and episodes that members wish for." });

const maxListed = 500;

export async function loader({ request, context }: Route.LoaderArgs) {
  const now = new Date();
  const language = memberTitleLanguage(request, context);
  const wished = await withTitleNames(await listWishedTitles(maxListed), language);
  return {
    isOff: !takesWishes(),
    wished: wished.map(({ firstAt, ...title }) => ({ ...title, ago: timeAgoText(firstAt, now) })),
  };
}

export default function Wishes({ loaderData: { isOff, wished } }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Wishes"
      lead="Titles and episodes that members would like to watch here, the most wished for first. The list does not say who asks. A wish ends by itself when its video is here."
    >
      {isOff && (
        <p>
          Members cannot wish for anything now: that needs a media folder, and <code>REQUESTS</code> must not
          be 0.
        </p>
      )}
      {wished.length === 0 ? (
        <p className="lead">There are no open wishes.</p>
      ) : (
        <AdminTable isStacked label="Wishes" columns={["Title", "Members", "Since"]}>
          {wished.map(({ malId, title, path, episode, wishes, ago }) => (
            <StackedRow key={`${malId}/${episode}`}>
              <TitleCell title={episode === null ? title : `Episode ${episode} of ${title}`} path={path} />
              <StackedCell className="numeric" data-heading="Members">
                {wishes}
              </StackedCell>
              <StackedCell data-heading="Since">{ago}</StackedCell>
            </StackedRow>
          ))}
        </AdminTable>
      )}
    </AdminPage>
  );
}
