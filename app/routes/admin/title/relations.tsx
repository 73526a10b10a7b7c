import { Form } from "react-router";
import { adminTitlePath } from "#app/admin-paths.ts";
import { relationKinds } from "#app/domain/catalog/catalog.ts";
import { relationLabels } from "#app/ui/titles/relation-labels.ts";
import { AdminChoice, AdminTable, TitleCell } from "../admin-page.tsx";
import type { FoundTitle } from "../found-titles.server.ts";
import { IntentButton, RowButton } from "../intent-button.tsx";
import { nothingFound, TitleFinder } from "./title-finder.tsx";
import type { RelationView } from "./title-view.server.ts";
import { SourceNote } from "./unlock-button.tsx";

type Props = {
  malId: number;
  relations: readonly RelationView[];
  related: string;
  found: readonly FoundTitle[];
};

export const Relations = ({ malId, relations, related, found }: Props) => (
  <section aria-labelledby="relations">
    <h2 id="relations">Related titles</h2>
    {relations.length === 0 ? (
      <p className="lead">No related title is known.</p>
    ) : (
      <AdminTable label="Related titles" columns={["It is the", "Title", "Source", "Change"]}>
        {relations.map((relation) => (
          <RelationRow key={relation.field} relation={relation} />
        ))}
      </AdminTable>
    )}
    <TitleFinder
      label="Name or catalog number of another related title"
      name="related"
      value={related}
      malId={malId}
    />
    {related !== "" && found.length === 0 && nothingFound}
    {found.length > 0 && (
      <AdminTable label="Titles found" columns={["Title", "It is the", "Change"]}>
        {found.map((one) => (
          <FoundRow key={one.malId} found={one} />
        ))}
      </AdminTable>
    )}
  </section>
);

const RelationRow = ({ relation }: { relation: RelationView }) => {
  const name = relation.name ?? `Catalog number ${relation.relatedId}`;
  return (
    <tr>
      <td>
        {relation.label}
        {!relation.isPresent && <b> (removed)</b>}
      </td>
      <TitleCell title={name} path={adminTitlePath({ id: relation.relatedId })} />
      <td>
        <SourceNote {...relation} othersSay={null} label={`${relation.label}: ${name}`} />
      </td>
      <td>
        {relation.isPresent && (
          <RowButton
            fields={{ related: relation.relatedId, relation: relation.relation }}
            intent="remove-relation"
            label="Remove"
            about={`${relation.label}: ${name}`}
          />
        )}
      </td>
    </tr>
  );
};

const FoundRow = ({ found: { malId, title, note } }: { found: FoundTitle }) => {
  const form = `relate-${malId}`;
  return (
    <tr>
      <td className="admin-address">
        {title} <span className="quiet">{note}</span>
      </td>
      <td>
        <AdminChoice
          form={form}
          label={`What ${title} is`}
          name="relation"
          value="sequel"
          choices={relationKinds.map((kind) => [kind, relationLabels[kind]])}
        />
      </td>
      <td>
        <Form method="post" id={form} preventScrollReset className="admin-buttons">
          <input type="hidden" name="related" value={malId} />
          <IntentButton intent="add-relation" label="Add" about={title} />
        </Form>
      </td>
    </tr>
  );
};
