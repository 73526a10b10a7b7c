import { Form } from "react-router";
import { adminTitlePath } from "#app/admin-paths.ts";
import { titleTypes } from "#app/domain/catalog/catalog.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import type { FieldErrors } from "#app/ui/forms/form-errors.ts";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { FoundTitleLinks } from "../found-title-links.tsx";
import type { FoundTitle } from "../found-titles.server.ts";
import { IntentButton } from "../intent-button.tsx";
import { nothingFound, TitleFinder } from "./title-finder.tsx";

/** Creates a local title, which no source knows, and replaces one by a title of the catalog. */

const kinds = [["", "Unknown"], ...titleTypes.map((type) => [type, type] as const)] as const;

export const NewLocalTitle = ({ formErrors }: { formErrors: FieldErrors }) => (
  <section aria-labelledby="new-title">
    <h2 id="new-title">A title that the catalog lacks</h2>
    <p className="lead">
      Members of this site see it; visitors, exports and other sites do not. It becomes the title of the
      catalog when an import brings one with the same id, or when you choose it.
    </p>
    <OnceForm className="admin-fields">
      <TextField label="Name" name="title" autoComplete="off" formErrors={formErrors} />
      <ChoiceSelect label="Kind" name="type" chosen={formErrors.typed("type") ?? ""} choices={kinds} />
      <div data-wide>
        <TextField
          label="Its ids or addresses on other sites, such as anidb:23, separated by spaces"
          name="sameAs"
          autoComplete="off"
          formErrors={formErrors}
          optional
        />
      </div>
      <div>
        <IntentButton intent="create-local" label="Make the title" />
      </div>
    </OnceForm>
  </section>
);

type Props = {
  malId: number;
  title: string;
  same: string;
  found: readonly FoundTitle[];
  /** The chosen title, which waits for a confirmation. */
  chosen: (FoundTitle & { members: number }) | null;
};

export const SameTitle = ({ malId, title, same, found, chosen }: Props) => (
  <section aria-labelledby="same">
    <h2 id="same">This is a local title</h2>
    <p className="lead">
      If the catalog has the same title, let this one become it. The lists, the progress and the history of
      members and the videos move there, and its address leads there.
    </p>
    {chosen === null ? (
      <>
        <TitleFinder
          label="Name or catalog number of the same title"
          name="same"
          value={same}
          malId={malId}
        />
        {same !== "" && found.length === 0 && nothingFound}
        <FoundTitleLinks
          titles={found}
          pathOf={(by) => adminTitlePath({ id: malId, same, by })}
          preventScrollReset
        />
      </>
    ) : (
      <Form method="post" className="admin-confirm">
        <p>
          “{title}” becomes <b>{chosen.title}</b> <span className="quiet">{chosen.note}</span>.{" "}
          {chosen.members === 1 ? "One member has" : `${chosen.members} members have`} it on a list or in the
          history. This cannot be undone.
        </p>
        <input type="hidden" name="by" value={chosen.malId} />
        <div className="admin-buttons">
          <IntentButton intent="replace" label={`Let it become ${chosen.title}`} />
          <Link
            className="button"
            data-kind="ghost"
            to={adminTitlePath({ id: malId, same })}
            preventScrollReset
          >
            Cancel
          </Link>
        </div>
      </Form>
    )}
  </section>
);
