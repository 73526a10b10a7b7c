import { type FocusEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { useFetcher } from "react-router";
import { CloseIcon } from "../icons/icons.tsx";
import { useSiteData } from "../shell/site.ts";
import { useAnsweringFetcher } from "../watch-list/answering-fetcher.ts";
import { announce, type EditAnswer, hasNotice } from "../watch-list/edit-notice.tsx";
import { scoresToChoose, statusLabels } from "./sheet-choices.ts";

/** What the sheet needs of a card. */
export type SheetTitle = {
  malId: number;
  path: string;
  name: string;
  lang?: "ja";
  listed?: string;
  ownPoints?: number;
  isDismissed?: true;
};

type Props = { title: SheetTitle; onClose(): void };

/** The list status and the own score of a card's title. The page of the title answers the forms. */
export function CardSheet({ title, onClose }: Props) {
  const { path, malId, name, lang, listed, ownPoints, isDismissed } = title;
  const { answer, status, score, dismissal, undoing } = useForms();
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => open(sheet.current, path), [path]);
  useLeaving(dismissal, sheet);
  const sent = (intent: string) => (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="mal_id" value={malId} />
    </>
  );
  const chosen = status.formData?.get("type") ?? statusOf(listed);
  return (
    <div
      ref={sheet}
      className="card-sheet"
      popover="auto"
      role="dialog"
      aria-label={`My list: ${name}`}
      onToggle={({ newState }) => newState === "closed" && onClose()}
      onBlur={closeLeft}
    >
      <SheetHead name={name} lang={lang} onClose={() => sheet.current?.hidePopover()} />
      <status.Form method="post" action={path} className="list-types">
        {sent("save")}
        <StatusButtons chosen={chosen} />
      </status.Form>
      {listed !== undefined && (
        <score.Form method="post" action={path} className="list-score">
          {sent("save")}
          <OwnScore points={ownPoints} />
        </score.Form>
      )}
      <dismissal.Form method="post" action={path}>
        {sent(isDismissed ? "undismiss" : "dismiss")}
        <DismissButton isPressed={isDismissed === true} />
      </dismissal.Form>
      <div className="card-sheet-answer">
        <p role={answer?.issues ? "alert" : "status"}>{answer?.message}</p>
        {answer?.undo && answer.undo.length > 0 && (
          <undoing.Form method="post" action={path}>
            {sent("restore")}
            <input type="hidden" name="entries" value={JSON.stringify(answer.undo)} />
            <button className="link" type="submit">
              Undo
            </button>
          </undoing.Form>
        )}
      </div>
    </div>
  );
}

/** One fetcher for each form: a fetcher drops its running request when it gets another one. */
function useForms() {
  const [answer, setAnswer] = useState<EditAnswer>();
  return {
    answer,
    status: useAnsweringFetcher(setAnswer),
    score: useAnsweringFetcher(setAnswer),
    dismissal: useAnsweringFetcher(setAnswer),
    undoing: useAnsweringFetcher(setAnswer),
  };
}

const StatusButtons = ({ chosen }: { chosen: unknown }) =>
  Object.entries(statusLabels).map(([value, label]) => (
    <button key={value} type="submit" name="type" value={value} aria-pressed={chosen === value}>
      {label}
    </button>
  ));

function open(sheet: HTMLElement | null, path: string) {
  // A browser without popovers follows the link of the bookmark.
  if (!sheet?.showPopover) return location.assign(`${path}#my-list`);
  sheet.showPopover();
  const first =
    sheet.querySelector<HTMLElement>(".list-types [aria-pressed=true]") ?? sheet.querySelector("h2");
  first?.focus();
}

/** It covers what has the focus now. */
const closeLeft = ({ currentTarget: sheet, relatedTarget: next }: FocusEvent<HTMLElement>) => {
  if (next && !sheet.contains(next)) sheet.hidePopover();
};

const DismissButton = ({ isPressed }: { isPressed: boolean }) => (
  <button
    className="button"
    data-size="small"
    name="place"
    value="suggestions"
    type="submit"
    aria-pressed={isPressed}
  >
    Not interested
  </button>
);

type HeadProps = { name: string; lang: "ja" | undefined; onClose(): void };

const SheetHead = ({ name, lang, onClose }: HeadProps) => (
  <div className="card-sheet-head">
    <h2 lang={lang} tabIndex={-1}>
      {name}
    </h2>
    <button type="button" className="icon-button" onClick={onClose}>
      <CloseIcon />
      <span className="visually-hidden">Close</span>
    </button>
  </div>
);

/** A title of no interest leaves the front page with its sheet, so the notice of the page says so. */
function useLeaving(
  { data, state, formData }: ReturnType<typeof useFetcher<EditAnswer>>,
  sheet: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    if (!data || state !== "loading" || formData?.get("intent") !== "dismiss" || !hasNotice()) return;
    announce(data);
    const next = sheet.current?.closest("li")?.nextElementSibling?.querySelector("a");
    sheet.current?.hidePopover();
    next?.focus();
  }, [data, state, formData, sheet]);
}

/** Of "Watching · Ep 13", "Watching" */
const statusOf = (listed: string | undefined) =>
  Object.entries(statusLabels).find(([, label]) => label === listed?.split(" · ")[0])?.[0];

const OwnScore = ({ points }: { points: number | undefined }) => (
  <>
    <label className="field-name" htmlFor="card-score">
      My score
    </label>
    <ScoreInput points={points} />
  </>
);

/** With a key, it shows the score that Undo restores. */
function ScoreInput({ points }: { points: number | undefined }) {
  const { scoreFormat } = useSiteData().preferences;
  const field = { id: "card-score", name: "score", defaultValue: points ?? "" };
  if (scoreFormat === "decimal")
    return (
      <input
        {...field}
        key={points}
        className="input numeric"
        type="number"
        min={0}
        max={10}
        // A stored score can have more decimals. With a step, the browser would refuse to send it again.
        step={points === undefined || Number(points.toFixed(1)) === points ? 0.1 : "any"}
        placeholder="–"
        onBlur={({ currentTarget }) => {
          if (currentTarget.value !== currentTarget.defaultValue) currentTarget.form?.requestSubmit();
        }}
      />
    );
  return (
    <select
      {...field}
      key={points}
      className="select"
      onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
    >
      <option value="">–</option>
      {scoresToChoose(scoreFormat, points).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
