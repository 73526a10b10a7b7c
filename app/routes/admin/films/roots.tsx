import { AdminTable } from "../admin-page.tsx";

/** The media folders, each with its state. */

type Props = {
  roots: readonly { number: number; folder: string; trouble: string | null; watching: string }[];
};

export const Roots = ({ roots }: Props) => (
  <section aria-labelledby="roots">
    <h2 id="roots">{roots.length === 1 ? "Folder" : "Folders"}</h2>
    <AdminTable label="Media folders" columns={["Folder", "State"]}>
      {roots.map(({ number, folder, trouble, watching }) => (
        <tr key={number}>
          <td className="admin-address">
            <bdi>{folder}</bdi>
            {number > 1 && ` (in the lists below: .${number})`}
          </td>
          <td className={trouble === null ? undefined : "admin-warning"}>{trouble ?? watching}</td>
        </tr>
      ))}
    </AdminTable>
  </section>
);
