import { Form } from "react-router";
import { adminEpisodePath } from "#app/admin-paths.ts";
import { Link } from "#app/ui/link.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { AdminTable } from "../admin-page.tsx";
import { IntentButton } from "../intent-button.tsx";
import { printName } from "./print-name.ts";
import type { EpisodeView } from "./title-view.server.ts";
import { SourceNote } from "./unlock-button.tsx";

type Props = { malId: number; episodes: readonly EpisodeView[]; page: number; lastPage: number };

export const EpisodesForm = ({ malId, episodes, page, lastPage }: Props) => (
  <section aria-labelledby="episodes">
    <h2 id="episodes">Episodes</h2>
    {episodes.length === 0 ? (
      <p className="lead">No episode is known. Set the number of episodes above.</p>
    ) : (
      <Form method="post" className="admin-skips" preventScrollReset>
        <AdminTable label="Episodes" columns={["Episode", "Name", "Day", "Videos"]}>
          {episodes.map(({ number, title, airedAt }) => (
            <tr key={number}>
              <td className="numeric">{number}</td>
              <td className="admin-address">
                <Cell field={title} label={`Name of episode ${number}`} type="text" />
              </td>
              <td>
                <Cell field={airedAt} label={`Day of episode ${number}`} type="date" />
              </td>
              <td>
                <Link className="link" to={adminEpisodePath({ id: malId, episode: number })}>
                  Sources
                </Link>
              </td>
            </tr>
          ))}
        </AdminTable>
        <IntentButton intent="save-episodes" label="Save episodes" />
      </Form>
    )}
    <Pager page={page} lastPage={lastPage} parameter="episodes" />
  </section>
);

type CellProps = { field: EpisodeView["title"]; label: string; type: "text" | "date" };

const Cell = ({ field, label, type }: CellProps) => (
  <>
    <input type="hidden" name={printName(field.field)} value={field.print} />
    <input
      // The key depends on the text. After an undo it makes a new field, since the old one would keep what it showed.
      key={field.print}
      className="input"
      type={type}
      name={field.field}
      aria-label={label}
      defaultValue={field.text}
    />
    {(field.isLocked || field.text !== "") && <SourceNote {...field} label={label} />}
  </>
);
