import { listWishedTitles, takesWishes } from "#app/domain/library/library.server.ts";
import { operatorPage } from "#app/http/guards/guard.server.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/wishes";
import { AdminPage, AdminTable, StackedCell, StackedRow, TitleCells } from "./admin-page.tsx";

export const middleware: Route.MiddlewareFunction[] = [operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Wishes", description: "The titles that members wish for." });

const maxListed = 500;

export async function loader() {
  const now = new Date();
  const wished = await listWishedTitles(maxListed);
  return {
    isOff: !takesWishes(),
    wished: wished.map(({ firstAt, ...title }) => ({ ...title, ago: timeAgoText(firstAt, now) })),
  };
}

export default function Wishes({ loaderData: { isOff, wished } }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Wishes"
      lead="Titles that members would like to watch here, the most wished for first. The list does not say who asks. A wish ends by itself when the title has a video."
    >
      {isOff && (
        <p>
          Members cannot wish for titles now: that needs a media folder, and <code>REQUESTS</code> must not be
          0.
        </p>
      )}
      {wished.length === 0 ? (
        <p className="lead">No member waits for a title.</p>
      ) : (
        <AdminTable isStacked label="Wishes" columns={["Title", "Id", "Members", "Since"]}>
          {wished.map(({ malId, title, wishes, ago }) => (
            <StackedRow key={malId}>
              <TitleCells malId={malId} title={title} />
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
