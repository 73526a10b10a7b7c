import { AdminTable } from "../admin-page.tsx";

/** The files and folders that look like films and are not played, each with the reason. */

type Props = { files: readonly { path: string; why: string }[]; more: number };

export const PassedOverFiles = ({ files, more }: Props) =>
  files.length > 0 && (
    <section aria-labelledby="passed-over">
      <h2 id="passed-over">Not played</h2>
      <p className="quiet">The site does not play these files and folders.</p>
      <AdminTable label="Not played" columns={["File or folder", "Reason"]}>
        {files.map(({ path, why }) => (
          <tr key={path}>
            <td className="admin-address">
              <bdi>{path}</bdi>
            </td>
            <td>{why}</td>
          </tr>
        ))}
      </AdminTable>
      {more > 0 && <p className="quiet">And {more.toLocaleString("en")} more.</p>}
    </section>
  );
