import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { useFetcher } from "react-router";
import { entryStatusLabel, statusOf } from "#app/domain/library/library.ts";
import { editFromEpisodePath } from "#app/paths.ts";
import { takeLostFocus, useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { useHydrated } from "#app/ui/forms/use-hydrated.ts";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";
import { BookmarkIcon, CheckIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useAnsweringFetcher } from "#app/ui/watch-list/answering-fetcher.ts";
import { ScoreField } from "#app/ui/watch-list/score-field.tsx";
import { UndoForm } from "#app/ui/watch-list/undo-form.tsx";
import type { useEdits } from "./edits.ts";
import type { Own, Shown } from "./entry-edits.ts";

/** The member's list entry under the film: the tick of this episode, the list status and the score. */

type Props = {
  malId: number;
  episode: number;
  episodeCount: number | null;
  titlePath: string;
  shown: Shown;
  edits: ReturnType<typeof useEdits>;
};

/**
 * The page is not loaded again after an edit, because that would disturb the film. The answer to the edit says what has
 * changed. Without scripts, the forms lead back to the episode, or to the title's page if they change nothing.
 */
export function EntryBar(props: Props) {
  const { episode, shown, edits } = props;
  const { entry, isSeen } = shown;
  const { answer, onAnswer, onUndo, onUndone } = edits;
  // One fetcher for each form, because a fetcher aborts its running request when it gets a new one.
  const tick = useAnsweringFetcher(onAnswer);
  const adding = useAnsweringFetcher(onAnswer);
  const scoring = useAnsweringFetcher(onAnswer);
  const undoing = useAnsweringFetcher(onUndone);
  const changedWith = useRef<Element>(null);
  const onChange = () => {
    changedWith.current = document.activeElement;
  };
  // After an undo, the focus returns to the control that made the change.
  useLayoutEffect(() => {
    if (answer?.isUndone) takeLostFocus(changedWith.current as HTMLElement | null);
  }, [answer]);
  return (
    <section className="entry-bar" aria-label="My list">
      <BarForm {...props} Form={tick.Form} onSubmit={onChange}>
        <button
          className="button"
          data-size="small"
          type="submit"
          aria-label="Mark as seen"
          aria-pressed={isSeen}
          {...tickField({ entry, isSeen, episode })}
        >
          {isSeen ? (
            <>
              <CheckIcon />
              Seen
            </>
          ) : (
            "Mark as seen"
          )}
        </button>
      </BarForm>
      {entry === null ? (
        <BarForm {...props} Form={adding.Form} onSubmit={onChange}>
          <VanishingButton className="button" data-size="small" name="type" value="Watching">
            <BookmarkIcon />
            Add to list
          </VanishingButton>
        </BarForm>
      ) : (
        <>
          <EntryLink {...props} entry={entry} />
          <BarForm {...props} Form={scoring.Form} onSubmit={onChange}>
            <EntryScore score={entry.score} refusal={scoring.data?.issues} />
          </BarForm>
        </>
      )}
      <p className="quiet" role={answer?.issues ? "alert" : "status"}>
        {answer?.message}
      </p>
      {answer?.offersCompleted && entry !== null && (
        <BarForm {...props} Form={adding.Form} onSubmit={onChange}>
          <VanishingButton
            className="button"
            data-kind="primary"
            data-size="small"
            name="type"
            value="Completed"
          >
            <CheckIcon />
            Mark as Completed
          </VanishingButton>
        </BarForm>
      )}
      {answer?.undo && answer.undo.length > 0 && (
        <UndoForm fetcher={undoing} undo={answer.undo} path={props.titlePath} onSent={onUndo}>
          <VanishingButton className="link">Undo</VanishingButton>
        </UndoForm>
      )}
      {answer?.offersNever && entry !== null && (
        <BarForm {...props} Form={adding.Form} onSubmit={onChange}>
          <input type="hidden" name="type" value="To Watch" />
          <VanishingButton className="link" name="never" value="1">
            Never do this
          </VanishingButton>
        </BarForm>
      )}
    </section>
  );
}

type FormProps = Pick<Props, "malId" | "episode" | "titlePath"> & {
  Form: ReturnType<typeof useFetcher>["Form"];
  onSubmit(): void;
  children: ReactNode;
};

const BarForm = ({ Form, malId, episode, titlePath, onSubmit, children }: FormProps) => (
  <Form
    method="post"
    action={useHydrated() ? titlePath : editFromEpisodePath(titlePath, episode)}
    onSubmit={onSubmit}
  >
    <input type="hidden" name="intent" value="save" />
    <input type="hidden" name="mal_id" value={malId} />
    {children}
  </Form>
);

/** During a rewatch, the ticks of the first time stay, and the form changes the progress of the rewatch instead. */
function tickField({ entry, isSeen, episode }: Pick<Shown, "entry" | "isSeen"> & { episode: number }) {
  if (entry?.state === "rewatching") return { name: "rewatch_progress", value: episode - Number(isSeen) };
  return { name: isSeen ? "untick" : "tick", value: episode };
}

const EntryLink = ({ titlePath, episodeCount, entry }: Props & { entry: Own }) => (
  <Link
    ref={useFocusPassedOn<HTMLAnchorElement>()}
    className="button"
    data-kind="ghost"
    data-size="small"
    to={titlePath}
  >
    <BookmarkIcon />
    <span>
      {entryStatusLabel(statusOf(entry))}
      {episodeCount !== 1 && (
        <span className="numeric">
          {` · ${entry.state === "rewatching" ? entry.rewatchProgress : entry.progress} / ${episodeCount ?? "?"}`}
        </span>
      )}
    </span>
  </Link>
);

const EntryScore = ({ score, refusal }: Pick<Own, "score"> & { refusal: unknown }) => (
  <span className="entry-bar-score">
    <ScoreField score={score} label="My score" emptyText="My score" refusal={refusal} />
    <button className="button no-script-only" data-size="small" type="submit">
      Save
    </button>
  </span>
);
