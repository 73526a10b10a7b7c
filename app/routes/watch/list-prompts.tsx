import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";
import { Wish, type WishView } from "#app/ui/forms/wish.tsx";
import { CheckIcon, CloseIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useAnsweringFetcher } from "#app/ui/watch-list/answering-fetcher.ts";
import type { EditAnswer } from "#app/ui/watch-list/edit-answer.ts";
import { ScoreField } from "#app/ui/watch-list/score-field.tsx";
import { focusOverFilm, focusPlayThen } from "./player/focus-play.ts";

/**
 * The prompts that the watch page shows a member after an episode. Their forms go to the title's page, which edits the
 * list.
 */

type NextTitle = { path: string; name: string; lang?: "ja" };

type Prompt = {
  malId: number;
  series: string;
  seriesLang?: "ja";
  titlePath: string;
  fetcher: ReturnType<typeof useAnsweringFetcher>;
};

type FormProps = Pick<Prompt, "malId" | "titlePath" | "fetcher"> & {
  fields: Record<string, string>;
  label: string;
  isPrimary?: boolean;
};

function ListForm({ malId, titlePath, fetcher, fields, label, isPrimary = false }: FormProps) {
  return (
    <fetcher.Form method="post" action={titlePath}>
      <input type="hidden" name="mal_id" value={malId} />
      {Object.entries({ intent: "save", ...fields }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <VanishingButton className="button" data-kind={isPrimary ? "primary" : undefined} data-size="small">
        {isPrimary && <CheckIcon />}
        {label}
      </VanishingButton>
    </fetcher.Form>
  );
}

/** The prompts that follow from the progress reports of an episode. */
export type EpisodePrompts = {
  /** Finishing the first episode put the title on the list. */
  isAdded: boolean;
  /** Finishing an episode changed the title from To Watch to Watching. */
  isMoved: boolean;
  offersRewatch: boolean;
  /** The site has counted the episode as watched since the page was opened. */
  isWatched: boolean;
  /** The entry is not marked as completed yet. */
  offersCompleted: boolean;
};

type NoticeProps = Prompt & { isSingle: boolean; prompts: EpisodePrompts; onClose(): void };

/** Says how playing changed the list, with an undo, or offers to count it as a rewatch. */
export function ListNoticePrompt({
  isSingle,
  prompts: { isAdded, isMoved },
  onClose,
  ...prompt
}: NoticeProps) {
  const { fetcher } = prompt;
  const answer = fetcher.data?.message;
  const hasChanged = isAdded || isMoved;
  const undo: Record<string, string> = isAdded ? { intent: "remove" } : { type: "To Watch" };
  return (
    <div className="toast">
      <span>{answer ?? noticeText(<SeriesName {...prompt} />, { isAdded, isMoved })}</span>
      {answer === undefined && hasChanged && (
        <>
          <ListForm {...prompt} fields={undo} label="Undo" />
          <ListForm {...prompt} fields={{ ...undo, never: "1" }} label="Never do this" />
        </>
      )}
      {answer === undefined && !hasChanged && (
        <ListForm
          {...prompt}
          fields={{ type: "rewatching", rewatch_progress: "1" }}
          label={isSingle ? "Count it as watched again" : "Watch again from here"}
          isPrimary
        />
      )}
      <button
        className="icon-button"
        type="button"
        aria-label="Close this message"
        onClick={focusPlayThen(onClose)}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

function noticeText(series: ReactNode, { isAdded, isMoved }: Pick<EpisodePrompts, "isAdded" | "isMoved">) {
  if (isAdded) return <>{series} is on your list as Watching</>;
  return isMoved ? <>{series} is now Watching on your list</> : <>You have completed {series}</>;
}

const SeriesName = ({ series, seriesLang }: Pick<Prompt, "series" | "seriesLang">) => (
  <span lang={seriesLang}>{series}</span>
);

type EndProps = Omit<Prompt, "fetcher"> & {
  isMember: boolean;
  isSingle: boolean;
  /** The title has no later episode, here or elsewhere. */
  isLastEpisode: boolean;
  /** The list entry; null if the title is not on the list. */
  own: { score: number | null } | null;
  prompts: EpisodePrompts;
  next: NextTitle | null;
  /** The next episode, which has no film here, and the wish that the member can make for it. */
  missing: { path: string; episode: number; wish: WishView | null } | null;
  onCompleted(): void;
  onAnswer(answer: EditAnswer): void;
};

/** Shown over the film after the last episode that can be watched. */
export function EndCardPrompt({
  isMember,
  isSingle,
  isLastEpisode,
  own,
  prompts,
  next,
  missing,
  onCompleted,
  onAnswer,
  ...prompt
}: EndProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => focusOverFilm(card.current), []);
  const isListed = own !== null;
  const [answer, setAnswer] = useState<EditAnswer>();
  const show = useCallback(
    (shown: EditAnswer) => {
      setAnswer(shown);
      onAnswer(shown);
    },
    [onAnswer],
  );
  // One fetcher for each form, because a fetcher aborts its running request when it gets a new one.
  const completed = useAnsweringFetcher(show);
  const scored = useAnsweringFetcher(show);
  const isCompleted = completed.data !== undefined && completed.data.issues === undefined;
  useEffect(() => {
    if (!isCompleted) return;
    onCompleted();
    // The button that had the focus is gone, so the card takes the focus.
    card.current?.focus({ preventScroll: true });
  }, [isCompleted, onCompleted]);
  const offersCompleted = isLastEpisode && (prompts.offersCompleted || !isListed);
  return (
    <section ref={card} className="player-note" aria-label="End of the episode" tabIndex={-1}>
      <p className="player-note-title">
        {endText(<SeriesName {...prompt} />, { isSingle, isLastEpisode, missing })}
      </p>
      {isMember && (
        <div className="player-note-buttons">
          {offersCompleted && !isCompleted && (
            <ListForm
              {...prompt}
              fetcher={completed}
              fields={{ type: "Completed" }}
              label="Mark as Completed"
              isPrimary
            />
          )}
          {(isListed || isLastEpisode) && (
            <ScoreForm {...prompt} fetcher={scored} isListed={isListed} score={own?.score ?? null} />
          )}
        </div>
      )}
      <p role={answer?.issues ? "alert" : "status"}>{answer?.message}</p>
      {missing && (
        <div className="player-note-buttons">
          {missing.wish && <Wish malId={prompt.malId} path={missing.path} {...missing.wish} />}
          <Link className="button" data-kind={missing.wish ? undefined : "primary"} to={missing.path}>
            About episode {missing.episode}
            <RightIcon />
          </Link>
        </div>
      )}
      {next !== null && <NextLink next={next} isPrimary={!offersCompleted || isCompleted} />}
    </section>
  );
}

function endText(
  series: ReactNode,
  { isSingle, isLastEpisode, missing }: Pick<EndProps, "isSingle" | "isLastEpisode" | "missing">,
) {
  if (missing) return `Episode ${missing.episode} is not here yet`;
  if (isSingle) return <>That was {series}</>;
  return (
    <>
      That was the {isLastEpisode ? "last" : "latest"} episode of {series}
    </>
  );
}

function NextLink({ next: { path, name, lang }, isPrimary }: { next: NextTitle; isPrimary: boolean }) {
  return (
    <Link className="button" data-kind={isPrimary ? "primary" : undefined} to={path}>
      <span>
        Next: <span lang={lang}>{name}</span>
      </span>
      <RightIcon />
    </Link>
  );
}

type ScoreProps = Omit<Prompt, "series"> & { isListed: boolean; score: number | null };

function ScoreForm({ malId, titlePath, fetcher, isListed, score }: ScoreProps) {
  return (
    <fetcher.Form method="post" action={titlePath}>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="mal_id" value={malId} />
      {/* A score sets no status, and a title that is not on the list yet needs one. */}
      {!isListed && <input type="hidden" name="type" value="Completed" />}
      <ScoreField score={score} label="My score" emptyText="My score" refusal={fetcher.data?.issues} />
    </fetcher.Form>
  );
}
