import { isFocusOnNothing } from "#app/ui/shell/single-keys.ts";

/** The keys of the player, which the overview lists. */

export type Command =
  | "toggle-play"
  | "back-5"
  | "forward-5"
  | "back-10"
  | "forward-10"
  | "volume-up"
  | "volume-down"
  | "mute"
  | "fullscreen"
  | "picture-in-picture"
  | "captions"
  | "slower"
  | "faster"
  | "next"
  | "previous"
  | "skip"
  | "previous-chapter"
  | "next-chapter"
  | "overview"
  | `jump-${number}`;

type KeyLine = { keys: readonly string[]; shown: string; does: string; command: Command };

export const keyLines: readonly KeyLine[] = [
  { keys: [" ", "k"], shown: "Space, K", does: "Play or pause", command: "toggle-play" },
  { keys: ["ArrowLeft"], shown: "←", does: "Back 5 seconds", command: "back-5" },
  { keys: ["ArrowRight"], shown: "→", does: "Forward 5 seconds", command: "forward-5" },
  { keys: ["j"], shown: "J", does: "Back 10 seconds", command: "back-10" },
  { keys: ["l"], shown: "L", does: "Forward 10 seconds", command: "forward-10" },
  { keys: ["ArrowUp"], shown: "↑", does: "Louder", command: "volume-up" },
  { keys: ["ArrowDown"], shown: "↓", does: "Quieter", command: "volume-down" },
  { keys: ["m"], shown: "M", does: "Sound on or off", command: "mute" },
  { keys: ["f"], shown: "F", does: "Full screen", command: "fullscreen" },
  { keys: ["i"], shown: "I", does: "Picture in picture", command: "picture-in-picture" },
  { keys: ["c"], shown: "C", does: "Captions on or off", command: "captions" },
  { keys: ["<", ","], shown: "<", does: "Slower", command: "slower" },
  { keys: [">", "."], shown: ">", does: "Faster", command: "faster" },
  { keys: ["n"], shown: "N", does: "Next episode", command: "next" },
  { keys: ["p"], shown: "P", does: "Previous episode", command: "previous" },
  { keys: ["s"], shown: "S", does: "Skip the intro or ending", command: "skip" },
  { keys: ["v"], shown: "V", does: "Previous chapter", command: "previous-chapter" },
  { keys: ["b"], shown: "B", does: "Next chapter", command: "next-chapter" },
  { keys: ["?"], shown: "?", does: "Show these keys", command: "overview" },
];
export const jumpLine = { shown: "0 – 9", does: "Jump to 0 – 90 % of the video" };

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };
/** The kind of element that has the focus. Some elements of the player use some keys themselves. */
type Focus = "text" | "button" | "slider" | "select" | "film" | "nothing" | "elsewhere";

/**
 * The keys that the focused element or the page keeps. The player gets a key only while the focus is in the player or
 * on nothing: otherwise people who use speech input or read by keyboard would change the film by accident (WCAG 2.1.4).
 * With the focus on nothing, the up and down arrows scroll the page.
 */
const usesKey: Record<Focus, (key: string) => boolean> = {
  text: () => true,
  select: () => true,
  slider: (key) => key.startsWith("Arrow"),
  button: (key) => key === " ",
  film: () => false,
  nothing: (key) => key === "ArrowUp" || key === "ArrowDown",
  elsewhere: () => true,
};

export function commandOf({ key, ctrlKey, metaKey, altKey }: Pressed, focus: Focus): Command | null {
  if (ctrlKey || metaKey || altKey || usesKey[focus](key)) return null;
  if (/^[0-9]$/.test(key)) return `jump-${Number(key)}`;
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  return keyLines.find(({ keys }) => keys.includes(pressed))?.command ?? null;
}

/** A few words over the film that say what a command did. Null if the player or the page shows it anyway. */
export function doneText(
  command: Command,
  { paused, volume }: Pick<HTMLVideoElement, "paused" | "volume">,
): string | null {
  if (command === "toggle-play") return paused ? "Pause" : "Play";
  if (command === "volume-up" || command === "volume-down") return `Volume ${Math.round(volume * 100)} %`;
  const [kind, amount] = command.split("-");
  if (kind === "back" || kind === "forward") return `${kind === "back" ? "−" : "+"}${amount} s`;
  return kind === "jump" ? `${Number(amount) * 10} %` : null;
}

export function focusOf(element: Element | null, player: Element | null): Focus {
  if (!player?.contains(element)) return isFocusOnNothing() ? "nothing" : "elsewhere";
  if (element instanceof HTMLInputElement) return element.type === "range" ? "slider" : "text";
  if (element instanceof HTMLSelectElement) return "select";
  if (element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable))
    return "text";
  return element instanceof HTMLButtonElement || element instanceof HTMLAnchorElement ? "button" : "film";
}
