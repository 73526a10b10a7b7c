import { useFetcher } from "react-router";
import { Link } from "#app/ui/link.tsx";
import type { EntryDetails } from "./list-item.ts";

/** The fragment of a link that opens the form. */
export const entryFormId = "details";

/** The fields of an entry that its row does not show: dates, rewatches, tags and note. */
export function EntryForm({
  details,
  name,
  closePath,
}: {
  details: EntryDetails;
  name: string;
  closePath: string;
}) {
  const fetcher = useFetcher({ key: `details-${details.malId}` });
  const { malId, startedOn, finishedOn, rewatchCount, tags, notes } = details;
  return (
    <fetcher.Form method="post" id={entryFormId} className="entry-form" aria-label={`Details of ${name}`}>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="mal_id" value={malId} />
      <DateField label="Started" name="started_on" value={startedOn} />
      <DateField label="Finished" name="finished_on" value={finishedOn} />
      <label className="field">
        <span className="field-name">Watched again (times)</span>
        <input
          className="input numeric"
          type="number"
          name="rewatch_count"
          min={0}
          max={10_000}
          defaultValue={rewatchCount}
          required
        />
      </label>
      <label className="field entry-form-wide">
        <span className="field-name">My tags, separated by commas</span>
        <input className="input" name="tags" defaultValue={tags.join(", ")} maxLength={3100} />
      </label>
      <label className="field entry-form-wide">
        <span className="field-name">My note (only you see it)</span>
        <textarea className="input" name="notes" rows={3} maxLength={10_000} defaultValue={notes} />
      </label>
      <p className="entry-form-wide list-transfer-buttons">
        <button className="button" data-kind="primary" data-size="small" type="submit">
          Save
        </button>
        <Link className="button" data-kind="ghost" data-size="small" to={closePath} preventScrollReset>
          Close
        </Link>
      </p>
    </fetcher.Form>
  );
}

function DateField({ label, name, value }: { label: string; name: string; value: string | null }) {
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <input className="input" type="date" name={name} defaultValue={value ?? ""} min="1900-01-01" />
    </label>
  );
}
