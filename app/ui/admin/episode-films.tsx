import { Form } from "react-router";
import type { Skip, SourceType } from "../../domain/catalog/catalog.ts";
import { Cell, Choice, Field, Table } from "./admin-page.tsx";
import { IntentButton } from "./intent-button.tsx";
import { skipField } from "./skip-rows.ts";

/** The three tables of an episode. Each row is a form of its own; the segments are saved together. */

type Source = {
  id: string;
  url: string;
  type?: SourceType | undefined;
  label: string | null | undefined;
  language: string | null | undefined;
  position: number;
};

type SourcesProps = { sources: readonly Source[]; types: readonly string[] };

export function Sources({ sources, types }: SourcesProps) {
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      {sources.length > 0 && (
        <Table label="Sources" columns={["Order", "Address", "Type", "Label", "Language", "Change"]}>
          {sources.map((source) => (
            <SourceRow key={source.id} source={source} types={types} />
          ))}
        </Table>
      )}
      <Form method="post" preventScrollReset className="admin-line">
        <Field label="Address" name="url" isWide />
        <div className="field">
          <span className="field-name">Type</span>
          <Choice
            label="Type of the new source"
            name="type"
            value="from the address"
            choices={["from the address", ...types]}
          />
        </div>
        <Field label="Label" name="label" isOptional />
        <Field label="Language" name="language" isOptional />
        <button className="button" type="submit" name="intent" value="add-source">
          Add source
        </button>
      </Form>
      <p className="quiet">
        An http or https address, one that begins with /, or media:PATH in the media folder.
      </p>
    </section>
  );
}

type RowProps = { source: Source; types: readonly string[] };

function SourceRow({ source: { id, url, type, label, language, position }, types }: RowProps) {
  const form = `source-${id}`;
  return (
    <tr>
      <td>
        <Cell form={form} label={`Order of ${url}`} name="position" value={position} isShort />
      </td>
      <td className="admin-address">
        <Cell form={form} label={`Address: ${url}`} name="url" value={url} />
      </td>
      <td>
        <Choice form={form} label={`Type of ${url}`} name="type" value={type ?? "file"} choices={types} />
      </td>
      <td>
        <Cell form={form} label={`Label of ${url}`} name="label" value={label ?? null} />
      </td>
      <td>
        <Cell form={form} label={`Language of ${url}`} name="language" value={language ?? null} isShort />
      </td>
      <td>
        <Form id={form} method="post" preventScrollReset className="admin-buttons">
          <input type="hidden" name="id" value={id} />
          <IntentButton intent="edit-source" words="Save" about={url} />
          <IntentButton intent="remove-source" words="Remove" about={url} />
        </Form>
      </td>
    </tr>
  );
}

type Subtitle = { id: string; url: string; language: string; label: string | null };

export function Subtitles({ subtitles }: { subtitles: readonly Subtitle[] }) {
  return (
    <section aria-labelledby="subtitles">
      <h2 id="subtitles">Subtitles</h2>
      {subtitles.length > 0 && (
        <Table label="Subtitles" columns={["Address", "Language", "Label", "Change"]}>
          {subtitles.map(({ id, url, language, label }) => (
            <tr key={id}>
              <td className="admin-address">{url}</td>
              <td>{language}</td>
              <td>{label ?? "–"}</td>
              <td>
                <Form method="post" preventScrollReset className="admin-buttons">
                  <input type="hidden" name="id" value={id} />
                  <IntentButton intent="remove-subtitles" words="Remove" about={url} />
                </Form>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Form method="post" preventScrollReset className="admin-line">
        <Field label="Address of a WebVTT file" name="url" isWide />
        <Field label="Language" name="language" />
        <Field label="Label" name="label" isOptional />
        <button className="button" type="submit" name="intent" value="add-subtitles">
          Add subtitles
        </button>
      </Form>
      <p className="quiet">An address that is there already takes the new language and label.</p>
    </section>
  );
}

const spareRows = 2;

export function Skips({ skips, kinds }: { skips: readonly Skip[]; kinds: readonly string[] }) {
  const rows = [...skips, ...Array.from({ length: spareRows }, () => null)];
  return (
    <section aria-labelledby="skips">
      <h2 id="skips">Segments to skip</h2>
      <Form method="post" preventScrollReset id="skip-form" className="admin-skips">
        {/* Built anew for what was saved. */}
        <Table
          key={JSON.stringify(skips)}
          label="Segments to skip"
          columns={["Kind", "Starts at", "Ends at"]}
        >
          {rows.map((skip, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its number
            <tr key={row}>
              <td>
                <Choice
                  form="skip-form"
                  label={`Kind of segment ${row + 1}`}
                  name={skipField("kind", row)}
                  value={skip?.kind ?? "intro"}
                  choices={kinds}
                />
              </td>
              {(["start", "end"] as const).map((part) => (
                <td key={part}>
                  <Cell
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
        </Table>
        <button className="button" type="submit" name="intent" value="skips">
          Save segments
        </button>
      </Form>
      <p className="quiet">In seconds, or as 1:30. A row left empty is none.</p>
    </section>
  );
}
