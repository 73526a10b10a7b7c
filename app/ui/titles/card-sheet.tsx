import {
  type FocusEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { useFetcher } from "react-router";
import { CloseIcon, TrashIcon } from "../icons/icons.tsx";
import { useSiteData } from "../shell/site.ts";
import { useAnsweringFetcher } from "../watch-list/answering-fetcher.ts";
import type { EditAnswer } from "../watch-list/edit-answer.ts";
import { announce, hasNotice } from "../watch-list/edit-notice.tsx";
import { UndoForm } from "../watch-list/undo-form.tsx";
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

type SheetProps = {
  /** Its place among the cards. */
  index: number;
  title: SheetTitle;
  /** The titles that the page has now. */
  titles: readonly SheetTitle[];
  onClosed(): void;
};

/** The list status and the own score of a card's title, in a dialog beside the cards. */
export function CardSheet({ index, title, titles, onClosed }: SheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const shown = titles.find(({ malId }) => malId === title.malId);
  useLayoutEffect(() => open(sheet.current), []);
  return (
    <div
      ref={sheet}
      className="card-sheet"
      popover="auto"
      role="dialog"
      aria-label={`My list: ${title.name}`}
      onToggle={({ currentTarget, newState }) => {
        if (newState !== "closed") return;
        focusNext(currentTarget, index);
        onClosed();
      }}
      onBlur={closeLeft}
    >
      <SheetForms
        title={shown ?? title}
        isGone={shown === undefined}
        onClose={() => sheet.current?.hidePopover()}
      />
    </div>
  );
}

function open(sheet: HTMLElement | null) {
  if (!sheet) return;
  sheet.showPopover();
  const first =
    sheet.querySelector<HTMLElement>(".list-types [aria-pressed=true]") ?? sheet.querySelector("h2");
  first?.focus();
  // All cards can leave, with their grid or row.
  return () => {
    if (sheet.contains(document.activeElement)) document.querySelector("main")?.focus();
  };
}

/** The browser gives the focus back to the bookmark. If that has left the page, the next card gets it. */
function focusNext(sheet: HTMLElement, index: number) {
  const { activeElement: focused } = document;
  if (focused !== document.body && !sheet.contains(focused)) return;
  const cards = sheet.parentElement?.parentElement?.querySelectorAll<HTMLElement>(".card") ?? [];
  (cards[Math.min(index, cards.length - 1)] ?? document.querySelector("main"))?.focus();
}

/** It covers what has the focus now. */
const closeLeft = ({ currentTarget: sheet, relatedTarget: next }: FocusEvent<HTMLElement>) => {
  if (next && !sheet.contains(next)) sheet.hidePopover();
};

type Props = {
  title: SheetTitle;
  /** The card has left the page by what was chosen. */
  isGone: boolean;
  onClose(): void;
};

/** The page of the title answers the forms. */
function SheetForms({ title, isGone, onClose }: Props) {
  const { name, lang, listed, ownPoints, isDismissed } = title;
  const { answer, isIdle, status, score, dismissal, removing, undoing } = useForms();
  const heading = useRef<HTMLHeadingElement>(null);
  useLeaving({ isGone, isIdle, answer, onClose });
  useLastWord(answer, heading);
  useFocusKept(heading);
  const chosen = status.formData?.get("type") ?? statusOf(listed);
  return (
    <>
      <SheetHead name={name} lang={lang} heading={heading} onClose={onClose} />
      {!isGone && (
        <>
          <SheetForm {...title} Form={status.Form} className="list-types">
            <StatusButtons chosen={chosen} />
          </SheetForm>
          {listed !== undefined && (
            <SheetForm {...title} Form={score.Form} className="list-score">
              <OwnScore points={ownPoints} />
            </SheetForm>
          )}
          <div className="card-sheet-last">
            <SheetForm {...title} Form={dismissal.Form} intent={isDismissed ? "undismiss" : "dismiss"}>
              <DismissButton isPressed={isDismissed === true} />
            </SheetForm>
            {listed !== undefined && (
              <SheetForm {...title} Form={removing.Form} intent="remove">
                <button className="link" type="submit">
                  <TrashIcon />
                  Remove from list
                </button>
              </SheetForm>
            )}
          </div>
        </>
      )}
      <div className="card-sheet-answer">
        <p role={answer?.issues ? "alert" : "status"}>{answer?.message}</p>
        {answer?.undo && answer.undo.length > 0 && (
          <UndoForm fetcher={undoing} undo={answer.undo} path={title.path}>
            <button className="link" type="submit">
              Undo
            </button>
          </UndoForm>
        )}
      </div>
    </>
  );
}

type FormProps = Pick<SheetTitle, "malId" | "path"> & {
  Form: ReturnType<typeof useFetcher>["Form"];
  intent?: string;
  className?: string;
  children: ReactNode;
};

const SheetForm = ({ Form, malId, path, intent = "save", className, children }: FormProps) => (
  <Form method="post" action={path} className={className}>
    <input type="hidden" name="intent" value={intent} />
    <input type="hidden" name="mal_id" value={malId} />
    {children}
  </Form>
);

/** One fetcher for each form: a fetcher drops its running request when it gets another one. */
function useForms() {
  const [answer, setAnswer] = useState<EditAnswer>();
  const forms = {
    status: useAnsweringFetcher(setAnswer),
    score: useAnsweringFetcher(setAnswer),
    dismissal: useAnsweringFetcher(setAnswer),
    removing: useAnsweringFetcher(setAnswer),
    undoing: useAnsweringFetcher(setAnswer),
  };
  const isIdle = Object.values(forms).every(({ state, data }) => state === "idle" && (!data || answer));
  return { answer, isIdle, ...forms };
}

const StatusButtons = ({ chosen }: { chosen: unknown }) =>
  Object.entries(statusLabels).map(([value, label]) => (
    <button key={value} type="submit" name="type" value={value} aria-pressed={chosen === value}>
      {label}
    </button>
  ));

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

type HeadProps = {
  name: string;
  lang: "ja" | undefined;
  heading: RefObject<HTMLHeadingElement | null>;
  onClose(): void;
};

const SheetHead = ({ name, lang, heading, onClose }: HeadProps) => (
  <div className="card-sheet-head">
    <h2 lang={lang} tabIndex={-1} ref={heading}>
      {name}
    </h2>
    <button type="button" className="icon-button" onClick={onClose}>
      <CloseIcon />
      <span className="visually-hidden">Close</span>
    </button>
  </div>
);

type Leaving = Pick<Props, "isGone" | "onClose"> & { isIdle: boolean; answer: EditAnswer | undefined };

/** The sheet leaves with the card, and the page's notice shows the answer. A page without a notice keeps the sheet for it. */
function useLeaving({ isGone, isIdle, answer, onClose }: Leaving) {
  useEffect(() => {
    if (!isGone || !isIdle || (answer && !hasNotice())) return;
    if (answer) announce(answer);
    onClose();
  });
}

/** With the last card, its grid leaves, and the sheet too. */
function useLastWord(answer: EditAnswer | undefined, heading: RefObject<HTMLElement | null>) {
  const last = useRef(answer);
  useLayoutEffect(() => {
    last.current = answer;
  }, [answer]);
  useLayoutEffect(() => {
    const sheet = heading.current?.closest("[popover]");
    return () => {
      if (last.current && sheet?.matches(":popover-open")) announce(last.current);
    };
  }, [heading]);
}

/** A button that was pressed leaves with its form. */
function useFocusKept(heading: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  });
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
