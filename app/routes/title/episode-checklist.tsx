import type { ReactNode, SyntheticEvent } from "react";
import { useFetchers, useLocation, useNavigate } from "react-router";
import { CheckAllIcon, CheckIcon } from "#app/ui/icons/icons.tsx";
import { type EpisodeItem, EpisodeList } from "#app/ui/titles/episode-list.tsx";
import { useAnsweringFetcher } from "#app/ui/watch-list/answering-fetcher.ts";
import { announce } from "#app/ui/watch-list/edit-answer.ts";
import { useSyncedField } from "#app/ui/watch-list/synced-field.ts";
import { withPart } from "./part-query.ts";

type Props = {
  malId: number;
  episodes: readonly EpisodeItem[];
  /**
   * The number of episodes, or the most that a title can have. The loader sends it, so that the browser loads no chunk
   * for one number.
   */
  maxProgress: number;
  /** The highest ticked episode. */
  progress: number;
  /** The part of a long list that is shown; null if the whole list is. */
  part: number | null;
  stillOf?: ((episode: EpisodeItem) => ReactNode) | undefined;
};

/** The list of episodes for a member, who can tick each of them, or all up to one. */
export function EpisodeChecklist({ malId, episodes, maxProgress, progress, part, stillOf }: Props) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const { data, formData, Form } = useAnsweringFetcher(announce);
  // Without the part in the address, the list would jump to the next one when the last episode of this one is ticked.
  const address = part === null ? "" : withPart(search, part);
  const ticks = useFetchers().filter(({ key }) => key.startsWith(tickKey(malId, "")));
  const shown = [{ formData }, ...ticks].reduce(
    (before, sent) => (sent.formData ? withPendingTick(before, sent.formData) : before),
    episodes,
  );
  const keepPart = () => void (address && navigate(address, { replace: true, preventScrollReset: true }));
  return (
    <>
      <Form method="post" className="seen-up-to" preventScrollReset>
        <Target malId={malId} />
        <label htmlFor="seen-up-to">I have seen all episodes up to</label>
        <input
          className="input numeric"
          id="seen-up-to"
          name="progress"
          type="number"
          required
          // Saving empties the field: the ticks then show the number.
          {...useSyncedField<HTMLInputElement>("", "keep", data?.undo)}
          autoComplete="off"
          min={0}
          max={maxProgress}
        />
        <button className="button" data-size="small" type="submit">
          Mark them
        </button>
      </Form>
      <Form method="post" {...(address && { action: address })} onSubmit={keepPart} preventScrollReset>
        <Target malId={malId} />
        <EpisodeList
          malId={malId}
          episodes={shown}
          stillOf={stillOf}
          // Shown only after the next episode: at or before the progress, the button would untick later episodes, and
          // on the next episode the tick does the same.
          upToOf={({ number }) => number > progress + 1 && <UpToButton number={number} />}
          tickOf={(episode) => <Tick malId={malId} episode={episode} address={address} onSent={keepPart} />}
        />
      </Form>
    </>
  );
}

const tickKey = (malId: number, episode: number | "") => `tick-${malId}-${episode}`;

type TickProps = { malId: number; episode: EpisodeItem; address: string; onSent(): void };

/**
 * Without scripts, the button sends the form around the list. With scripts, each episode has a fetcher of its own: a
 * fetcher aborts its running request when it gets a new one, and the tick before would be lost. An answer after the
 * viewer has moved to another part of the list is not announced.
 */
function Tick({ malId, episode: { number, isSeen }, address, onSent }: TickProps) {
  const { submit } = useAnsweringFetcher(announce, tickKey(malId, number));
  const name = isSeen ? "untick" : "tick";
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    void submit(
      { intent: "save", mal_id: malId, [name]: number },
      { method: "post", ...(address && { action: address }) },
    );
    onSent();
  };
  return (
    <button
      className="episode-tick"
      type="submit"
      name={name}
      value={number}
      onClick={send}
      aria-pressed={isSeen}
      aria-label={`Episode ${number} seen`}
    >
      <span className="episode-tick-number">{number}</span>
      <CheckIcon />
    </button>
  );
}

const UpToButton = ({ number }: { number: number }) => (
  <button
    className="episode-up-to"
    type="submit"
    name="progress"
    value={number}
    aria-label={`Mark all up to episode ${number} as seen`}
    title="Mark all up to here as seen"
  >
    <CheckAllIcon />
  </button>
);

const Target = ({ malId }: { malId: number }) => (
  <>
    <input type="hidden" name="intent" value="save" />
    <input type="hidden" name="mal_id" value={malId} />
  </>
);

/** The episodes as they will be after the server has saved the form that is being sent. */
function withPendingTick(episodes: readonly EpisodeItem[], sent: FormData): readonly EpisodeItem[] {
  const numberIn = (name: string) => (sent.has(name) ? Number(sent.get(name)) : null);
  const [ticked, unticked, progress] = [numberIn("tick"), numberIn("untick"), numberIn("progress")];
  return episodes.map((episode) => {
    const { number, isSeen } = episode;
    if (progress !== null) return { ...episode, isSeen: number <= progress };
    return { ...episode, isSeen: number === ticked || (isSeen && number !== unticked) };
  });
}
