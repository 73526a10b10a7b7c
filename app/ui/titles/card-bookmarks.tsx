import { useLayoutEffect, useRef, useState } from "react";
import type { CardSheet, SheetTitle } from "./card-sheet.tsx";

type OpenedSheet = { index: number; title: SheetTitle; Sheet?: typeof CardSheet };

/**
 * Opens the sheet of a card when its bookmark, a link, is pressed. The sheet is not inside the card, so that it stays
 * open when the choice removes the card from the page. The script of the sheet is loaded when a member first opens one.
 */
export function CardBookmarks({ titles }: { titles: readonly SheetTitle[] }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [opened, setOpened] = useState<OpenedSheet>();
  useLayoutEffect(() => {
    const cards = anchor.current?.parentElement;
    const onClick = (event: MouseEvent) => {
      const bookmark = (event.target as Element).closest(".card-bookmark");
      // A browser without popovers follows the link.
      if (!bookmark || event.ctrlKey || event.metaKey || event.shiftKey || !("popover" in bookmark)) return;
      event.preventDefault();
      const index = [...(cards?.querySelectorAll(".card-bookmark") ?? [])].indexOf(bookmark);
      const title = titles[index] as SheetTitle;
      import("./card-sheet.tsx").then(
        ({ CardSheet: Sheet }) => setOpened({ index, title, Sheet }),
        () => setOpened({ index, title }),
      );
    };
    cards?.addEventListener("click", onClick);
    return () => cards?.removeEventListener("click", onClick);
  }, [titles]);
  const { Sheet } = opened ?? {};
  return (
    <span ref={anchor}>
      {opened &&
        (Sheet ? (
          <Sheet {...opened} titles={titles} onClosed={() => setOpened(undefined)} />
        ) : (
          <p
            className="toast"
            role="alert"
            popover="auto"
            ref={show}
            onToggle={({ newState }) => newState === "closed" && setOpened(undefined)}
          >
            The menu could not be loaded. Check the connection and try again.
          </p>
        ))}
    </span>
  );
}

/** Shows the notice in the top layer, so that no part of the page clips it. */
const show = (toast: HTMLElement | null) => toast?.showPopover();
