import { Form } from "react-router";
import { type SkipSegment, type SourceType, skipKinds, sourceTypes } from "#app/domain/catalog/catalog.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { Confirm } from "#app/ui/forms/confirm.tsx";
import { AddForm } from "../add-form.tsx";
import {
  type AdminAnswer,
  AdminCell,
  AdminChoice,
  AdminField,
  AdminTable,
  StackedCell,
  StackedRow,
} from "../admin-page.tsx";
import { IntentButton } from "../intent-button.tsx";
import { skipField } from "./skip-rows.ts";

/** The three tables of an episode. Each source is a separate form; all segments are one form. */

type Source = {
  id: string;
  url: string;
  type?: SourceType | undefined;
  label: string | null | undefined;
  language: string | null | undefined;
  position: number;
};

/** The form's value that makes the server detect the type from the URL. */
export const typeFromUrl = "from-url";

const types = sourceTypes.map((type) => [type, type] as const);
const newTypes = [[typeFromUrl, "Detect from the address"], ...types] as const;

type SourcesProps = { sources: readonly Source[]; answer: AdminAnswer };

export function SourceTable({ sources, answer }: SourcesProps) {
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">Videos</h2>
      {sources.length > 0 && (
        <AdminTable
          label="Videos"
          columns={["Order", "Address", "Type", "Label", "Language", "Change"]}
          isStacked
        >
          {sources.map((source) => (
            <SourceRow key={source.id} source={source} />
          ))}
        </AdminTable>
      )}
      <AddForm intent="add-source" answer={answer} preventScrollReset>
        <AdminField label="Address" name="url" isWide />
        <ChoiceSelect label="Type" name="type" chosen={typeFromUrl} choices={newTypes} />
        <AdminField label="Label" name="label" isOptional />
        <AdminField label="Language" name="language" isOptional />
        <IntentButton intent="add-source" label="Add video" />
      </AddForm>
      <p className="quiet">
        An http or https address, a path of this site such as /film.webm, or media:PATH for a file in the
        media folder.
      </p>
    </section>
  );
}

function SourceRow({ source: { id, url, type, label, language, position } }: { source: Source }) {
  const form = `source-${id}`;
  return (
    <StackedRow>
      <StackedCell data-heading="Order">
        <AdminCell form={form} label={`Order of ${url}`} name="position" value={position} isShort />
      </StackedCell>
      <StackedCell className="admin-address" data-heading="Address">
        <AdminCell form={form} label={`Address: ${url}`} name="url" value={url} />
      </StackedCell>
      <StackedCell data-heading="Type">
        <AdminChoice
          form={form}
          label={`Type of ${url}`}
          name="type"
          value={type ?? "file"}
          choices={types}
        />
      </StackedCell>
      <StackedCell data-heading="Label">
        <AdminCell form={form} label={`Label of ${url}`} name="label" value={label ?? null} />
      </StackedCell>
      <StackedCell data-heading="Language">
        <AdminCell
          form={form}
          label={`Language of ${url}`}
          name="language"
          value={language ?? null}
          isShort
        />
      </StackedCell>
      <StackedCell>
        <Form id={form} method="post" preventScrollReset className="admin-buttons">
          <input type="hidden" name="id" value={id} />
          <IntentButton intent="edit-source" label="Save" about={url} />
          <Confirm
            label="Remove"
            about={url}
            text="The episode can then no longer be played from this address."
          >
            <IntentButton intent="remove-source" label="Yes: remove" about={url} />
          </Confirm>
        </Form>
      </StackedCell>
    </StackedRow>
  );
}

type Subtitle = { id: string; url: string; language: string; label: string | null };

type SubtitlesProps = { subtitles: readonly Subtitle[]; answer: AdminAnswer };

export function SubtitleTable({ subtitles, answer }: SubtitlesProps) {
  return (
    <section aria-labelledby="subtitles">
      <h2 id="subtitles">Subtitles</h2>
      {subtitles.length > 0 && (
        <AdminTable label="Subtitles" columns={["Address", "Language", "Label", "Change"]} isStacked>
          {subtitles.map(({ id, url, language, label }) => (
            <StackedRow key={id}>
              <StackedCell className="admin-address">{url}</StackedCell>
              <StackedCell data-heading="Language">{language}</StackedCell>
              <StackedCell data-heading="Label">{label ?? "–"}</StackedCell>
              <StackedCell>
                <Form method="post" preventScrollReset className="admin-buttons">
                  <input type="hidden" name="id" value={id} />
                  <Confirm
                    label="Remove"
                    about={url}
                    text="The player then no longer offers these subtitles."
                  >
                    <IntentButton intent="remove-subtitles" label="Yes: remove" about={url} />
                  </Confirm>
                </Form>
              </StackedCell>
            </StackedRow>
          ))}
        </AdminTable>
      )}
      <AddForm intent="add-subtitles" answer={answer} preventScrollReset>
        <AdminField label="Address of a WebVTT file" name="url" isWide />
        <AdminField label="Language" name="language" />
        <AdminField label="Label" name="label" isOptional />
        <IntentButton intent="add-subtitles" label="Add subtitles" />
      </AddForm>
      <p className="quiet">If the address is listed already, its language and label are replaced.</p>
    </section>
  );
}

const kinds = skipKinds.map((kind) => [kind, kind] as const);
const spareRows = 2;

export function SkipForm({ skips }: { skips: readonly SkipSegment[] }) {
  const rows = [...skips, ...Array.from({ length: spareRows }, () => null)];
  return (
    <section aria-labelledby="skips">
      <h2 id="skips">Segments to skip</h2>
      <Form method="post" preventScrollReset id="skip-form" className="admin-skips">
        {/* The key rebuilds the fields after a save. Without it they would keep what was typed. */}
        <AdminTable
          key={JSON.stringify(skips)}
          label="Segments to skip"
          columns={["Kind", "Starts at", "Ends at"]}
        >
          {rows.map((skip, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity than its number
            <tr key={row}>
              <td>
                <AdminChoice
                  form="skip-form"
                  label={`Kind of segment ${row + 1}`}
                  name={skipField("kind", row)}
                  value={skip?.kind ?? "intro"}
                  choices={kinds}
                />
              </td>
              {(["start", "end"] as const).map((part) => (
                <td key={part}>
                  <AdminCell
                    form="skip-form"
                    label={`${part === "start" ? "Start" : "End"} of segment ${row + 1}`}
                    name={skipField(part, row)}
                    value={skip?.[part] ?? null}
                    isShort
                  />
                </td>
              ))}
            </tr>
          ))}
        </AdminTable>
        <IntentButton intent="skips" label="Save segments" />
      </Form>
      <p className="quiet">Write times in seconds, or as 1:30. Empty rows are not saved.</p>
    </section>
  );
}
