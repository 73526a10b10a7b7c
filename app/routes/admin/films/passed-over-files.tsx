import { AdminTable } from "../admin-page.tsx";

/** The files and folders that look like films and are not registered, each with the reason. */

type Props = { files: readonly { path: string; why: string }[]; more: number };

export const PassedOverFiles = ({ files, more }: Props) =>
  files.length > 0 && (
    <section aria-labelledby="passed-over">
      <h2 id="passed-over">Passed over</h2>
      <p className="quiet">These files and folders are not played.</p>
      <AdminTable label="Passed over" columns={["File or folder", "Reason"]}>
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
