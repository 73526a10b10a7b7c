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
import { listStatusChoices } from "#app/domain/library/library.ts";
import { takeLostFocus } from "../forms/focus-passed-on.ts";
import { CloseIcon, TrashIcon } from "../icons/icons.tsx";
import { useAnsweringFetcher } from "../watch-list/answering-fetcher.ts";
import { announce, type EditAnswer, hasNotice } from "../watch-list/edit-answer.ts";
import { ScoreField } from "../watch-list/score-field.tsx";
import { UndoForm } from "../watch-list/undo-form.tsx";
import { SheetChildren } from "./children-choice.tsx";

/** The facts about a card's title that the sheet shows. */
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
  /** The card's position among the cards. */
  index: number;
  title: SheetTitle;
  /** The titles that the page shows now. */
  titles: readonly SheetTitle[];
  onClosed(): void;
};

/** A dialog beside the cards with the list status and the member's score of one title. */
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
  // All cards may disappear together with their grid or row.
  return () => {
    if (sheet.contains(document.activeElement)) document.querySelector("main")?.focus();
  };
}

/** The browser returns the focus to the bookmark. If the bookmark is gone, the next card gets the focus. */
function focusNext(sheet: HTMLElement, index: number) {
  const { activeElement: focused } = document;
  if (focused !== document.body && !sheet.contains(focused)) return;
  const cards = sheet.parentElement?.parentElement?.querySelectorAll<HTMLElement>(".card") ?? [];
  (cards[Math.min(index, cards.length - 1)] ?? document.querySelector("main"))?.focus();
}

/** Closes the sheet when the focus leaves it, because the sheet may cover the focused element. */
const closeLeft = ({ currentTarget: sheet, relatedTarget: next }: FocusEvent<HTMLElement>) => {
  if (next && !sheet.contains(next)) sheet.hidePopover();
};

type FormsProps = {
  title: SheetTitle;
  /** The choice has removed the card from the page. */
  isGone: boolean;
  onClose(): void;
};

/** The forms of the sheet. They post to the page of the title. */
function SheetForms({ title, isGone, onClose }: FormsProps) {
  const { name, lang, listed, ownPoints, isDismissed } = title;
  const { answer, isIdle, status, score, dismissal, removing, undoing } = useForms();
  const heading = useRef<HTMLHeadingElement>(null);
  useLeaving({ isGone, isIdle, answer, onClose });
  useLastWord(answer, heading);
  // A pressed button disappears with its form, and the focus with it.
  useEffect(() => takeLostFocus(heading.current));
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
              <label className="field-name" htmlFor="card-score">
                My score
              </label>
              <ScoreField id="card-score" score={ownPoints ?? null} refusal={score.data?.issues} />
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
          <SheetChildren malId={title.malId} />
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

/** Each form has its own fetcher, because a fetcher aborts its running request when another one starts. */
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
  listStatusChoices().map(({ value, label }) => (
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

type LeavingOptions = Pick<FormsProps, "isGone" | "onClose"> & {
  isIdle: boolean;
  answer: EditAnswer | undefined;
};

/**
 * When the card is gone, the sheet closes and the page's notice shows the answer. On a page without a notice the sheet
 * stays open to show it.
 */
function useLeaving({ isGone, isIdle, answer, onClose }: LeavingOptions) {
  useEffect(() => {
    if (!isGone || !isIdle || (answer && !hasNotice())) return;
    if (answer) announce(answer);
    onClose();
  });
}

/** The last card takes its grid and the sheet with it, so the page's notice shows the answer. */
function useLastWord(answer: EditAnswer | undefined, heading: RefObject<HTMLElement | null>) {
  const last = useRef(answer);
  useLayoutEffect(() => {
    last.current = answer;
  }, [answer]);
  useLayoutEffect(() => {
    const sheet = heading.current?.closest("[popover]");
    return () => {
      if (last.current && hasNotice() && sheet?.matches(":popover-open")) announce(last.current);
    };
  }, [heading]);
}

/** Finds the status whose label begins the text: "Watching" in "Watching · Ep 13". */
const statusOf = (listed: string | undefined) =>
  listStatusChoices().find(({ label }) => label === listed?.split(" · ")[0])?.value;
