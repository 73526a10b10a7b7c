import type { SyntheticEvent } from "react";
import { useFetcher } from "react-router";
import { entryFields } from "#app/domain/library/library.ts";
import { useHydrated } from "#app/ui/forms/use-hydrated.ts";
import { Link } from "#app/ui/link.tsx";
import { useSaved } from "#app/ui/watch-list/answering-fetcher.ts";
import type { EditAnswer } from "#app/ui/watch-list/edit-answer.ts";
import { useSyncedField } from "#app/ui/watch-list/synced-field.ts";
import type { EntryDetails } from "./list-item.ts";
import { rowFormId } from "./row-fields.tsx";

/** The fragment of a link that opens the form. */
export const entryFormId = "details";

/** All tags, with a comma and a space after each. */
const maxTagsLength = entryFields.tags.maxTags * (entryFields.tags.maxLength + 2);

/**
 * The fields of an entry that are saved together: dates, rewatches, tags and note. Without scripts, the Save button
 * saves the fields of RowFields too, because the page that answers would discard what was changed in another form.
 */
export function EntryForm({
  details,
  name,
  closePath,
}: {
  details: EntryDetails;
  name: string;
  closePath: string;
}) {
  const fetcher = useFetcher<EditAnswer>({ key: `details-${details.malId}` });
  const form = useHydrated() ? undefined : rowFormId;
  const { malId, startedOn, finishedOn, rewatchCount, tags, notes } = { ...details, ...useSaved(fetcher) };
  const shown = [
    // Sent together, because the server compares the dates.
    { started_on: startedOn ?? "", finished_on: finishedOn ?? "" },
    { rewatch_count: `${rewatchCount}` },
    { tags: tags.join(", ") },
    { notes },
  ];
  // Sends only what differs from what the page shows, so that it overwrites no field that another device has changed.
  const saveChanged = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    for (const values of shown) {
      // A save that is still under way may change what the page shows.
      const isSame = Object.entries(values).every(
        ([name, value]) => fields.get(name) === value && !fetcher.formData?.has(name),
      );
      if (isSame) for (const name of Object.keys(values)) fields.delete(name);
    }
    void fetcher.submit(fields, { method: "post" });
  };
  return (
    <fetcher.Form
      method="post"
      className="entry-form"
      aria-label={`Details of ${name}`}
      // On a reload, Firefox would fill in what the form had before, which may have been undone since.
      autoComplete="off"
      onSubmit={saveChanged}
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="mal_id" value={malId} />
      <DateField label="Started" name="started_on" value={startedOn} form={form} />
      <DateField label="Finished" name="finished_on" value={finishedOn} form={form} />
      <label className="field">
        <span className="field-name">Watched again (times)</span>
        <input
          className="input numeric"
          form={form}
          type="number"
          name="rewatch_count"
          min={0}
          max={entryFields.rewatchCount.max}
          {...useSyncedField<HTMLInputElement>(rewatchCount, "keep")}
          required
        />
      </label>
      <label className="field entry-form-wide">
        <span className="field-name">My tags, separated by commas</span>
        <input
          className="input"
          form={form}
          name="tags"
          {...useSyncedField<HTMLInputElement>(tags.join(", "), "keep")}
          maxLength={maxTagsLength}
        />
      </label>
      <label className="field entry-form-wide">
        <span className="field-name">My note (only you see it)</span>
        <textarea
          className="input"
          form={form}
          name="notes"
          {...useSyncedField<HTMLTextAreaElement>(notes, "keep")}
          rows={3}
          maxLength={entryFields.notes.maxLength}
        />
      </label>
      <p className="entry-form-wide list-transfer-buttons">
        <button className="button" data-kind="primary" data-size="small" type="submit" form={form}>
          Save
        </button>
        <Link className="button" data-kind="ghost" data-size="small" to={closePath} preventScrollReset>
          Close
        </Link>
      </p>
    </fetcher.Form>
  );
}

type DateProps = { label: string; name: string; value: string | null; form: string | undefined };

function DateField({ label, name, value, form }: DateProps) {
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <input
        className="input"
        form={form}
        type="date"
        name={name}
        {...useSyncedField<HTMLInputElement>(value ?? "", "keep")}
        min="1900-01-01"
      />
    </label>
  );
}
