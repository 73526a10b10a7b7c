import { AdminTable } from "../admin-page.tsx";
import { RowButton } from "../intent-button.tsx";
import type { EditView } from "./title-view.server.ts";

export const History = ({ edits }: { edits: readonly EditView[] }) => (
  <section aria-labelledby="history">
    <h2 id="history">History of edits</h2>
    {edits.length === 0 ? (
      <p className="lead">No operator has edited this title.</p>
    ) : (
      <AdminTable label="History of edits" columns={["When", "By", "Field", "From", "To", "Change"]}>
        {edits.map(({ id, time, ago, by, what, from, to, canUndo }) => (
          <tr key={id}>
            <td>
              <time dateTime={time}>{ago}</time>
            </td>
            <td>{by}</td>
            <td>{what}</td>
            <td className="admin-address">{from}</td>
            <td className="admin-address">{to}</td>
            <td>
              {canUndo && (
                <RowButton fields={{ edit: id }} intent="undo" label="Undo" about={`${what}, ${ago}`} />
              )}
            </td>
          </tr>
        ))}
      </AdminTable>
    )}
  </section>
);
