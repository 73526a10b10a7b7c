import { Form } from "react-router";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { franchiseCorrectionKinds } from "#app/domain/franchises/franchises.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { AdminField, AdminTable } from "../admin-page.tsx";
import { IntentButton } from "../intent-button.tsx";
import type { CorrectionView } from "./title-view.server.ts";
import { SourceNote } from "./unlock-button.tsx";

const choiceLabels: Record<(typeof franchiseCorrectionKinds)[number], string> = {
  joined: "Same franchise as the title",
  moved: "Only in its franchise (empty: in none)",
  after: "After it in the story (empty: first)",
};

export const FranchiseForm = ({ corrections }: { corrections: readonly CorrectionView[] }) => (
  <section aria-labelledby="franchise">
    <h2 id="franchise">Franchise</h2>
    <p className="lead">
      Relations decide which titles are one franchise, and in which order. Where they are right and the result
      is not, name another title and say what is right.
    </p>
    {corrections.length > 0 && (
      <AdminTable label="Corrections" columns={["What", "Correction", "Source"]}>
        {corrections.map(({ field, label, text, note }) => (
          <tr key={field}>
            <td>{label}</td>
            <td>{text}</td>
            <td>
              <SourceNote field={field} note={note} label={label} isLocked othersSay={null} />
            </td>
          </tr>
        ))}
      </AdminTable>
    )}
    <Form method="post" preventScrollReset className="admin-line">
      <ChoiceSelect
        label="What is right"
        name="correction"
        chosen="after"
        choices={franchiseCorrectionKinds.map((one) => [one, choiceLabels[one]])}
      />
      <AdminField label="Number of the title" name="other" type="number" max={maxMalId} isOptional />
      <IntentButton intent="correct-franchise" label="Correct" />
    </Form>
  </section>
);
