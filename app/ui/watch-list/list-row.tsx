import { Link, useFetcher } from "react-router";
import { collectionTypes } from "#app/domain/library/library.ts";
import { factsOf } from "../card.tsx";
import { MinusIcon, PlusIcon, TrashIcon } from "../icons.tsx";
import { Poster } from "../poster.tsx";
import { titlePath } from "../title.ts";
import type { ListItem } from "./list-view.ts";

/** Names the one form that rows tick themselves into. */
export const bulkForm = "bulk";

/** One entry, edited in place: a form that saves itself with scripts, and with its button without. */
export function ListRow({ item }: { item: ListItem }) {
  const fetcher = useFetcher({ key: `list-${item.malId}` });
  const { malId, name, lang } = item;
  const isGoing = fetcher.formData?.get("intent") === "remove";
  const shown = fetcher.formData ? progressOf(fetcher.formData) : item.progress;
  return (
    <li className="list-row" data-going={isGoing || undefined}>
      <input type="checkbox" form={bulkForm} name={`title-${malId}`} aria-label={`Choose ${name}`} />
      <Link className="list-row-title" to={titlePath(malId, name)}>
        <Poster malId={malId} sizes="48px" />
        <span>
          <span className="list-row-name" lang={lang}>
            {name}
          </span>
          <span className="quiet">{factsOf({ ...item, type: item.titleType })}</span>
        </span>
      </Link>
      <fetcher.Form
        method="post"
        className="list-row-form"
        aria-label={name}
        onChange={(event) => event.currentTarget.requestSubmit()}
      >
        <input type="hidden" name="mal_id" value={malId} />
        <TypeSelect item={item} />
        <Progress item={item} shown={shown} />
        <ScoreSelect item={item} />
        <button className="button no-script-only" data-size="small" type="submit">
          Save
        </button>
        <button
          className="icon-button"
          type="submit"
          name="intent"
          value="remove"
          aria-label={`Remove ${name} from the list`}
        >
          <TrashIcon />
        </button>
        {/* After the buttons: the first of repeated names counts, so what was pressed goes before it. */}
        <input type="hidden" name="intent" value="save" />
      </fetcher.Form>
    </li>
  );
}

const progressOf = (form: FormData) =>
  Math.max(0, Number(form.get("progress")) + Number(form.get("step") ?? 0));

const TypeSelect = ({ item: { type, name } }: { item: ListItem }) => (
  <select className="select" name="type" key={type} defaultValue={type} aria-label={`Where ${name} stands`}>
    {collectionTypes.map((one) => (
      <option key={one}>{one}</option>
    ))}
  </select>
);

function Progress({ item: { episodes, name }, shown }: { item: ListItem; shown: number }) {
  const atEnd = episodes !== null && shown >= episodes;
  return (
    <span className="list-row-progress">
      <button
        className="icon-button"
        type="submit"
        name="step"
        value="-1"
        disabled={shown <= 0}
        aria-label="One episode less"
      >
        <MinusIcon />
      </button>
      <input
        className="input numeric"
        type="number"
        name="progress"
        key={shown}
        defaultValue={shown}
        min={0}
        max={episodes ?? 100_000}
        aria-label={`Episodes of ${name} seen`}
      />
      <span className="quiet numeric">/ {episodes ?? "?"}</span>
      <button
        className="icon-button"
        type="submit"
        name="step"
        value="1"
        disabled={atEnd}
        aria-label="One episode more"
      >
        <PlusIcon />
      </button>
    </span>
  );
}

const wholeScores = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

function ScoreSelect({ item: { score, name } }: { item: ListItem }) {
  const scores = score === null || wholeScores.includes(score) ? wholeScores : [score, ...wholeScores];
  return (
    <select
      className="select"
      name="score"
      key={score}
      defaultValue={score ?? ""}
      aria-label={`My score for ${name}`}
    >
      <option value="">No score</option>
      {scores.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}
