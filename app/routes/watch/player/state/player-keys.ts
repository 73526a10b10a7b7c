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
  { keys: ["?"], shown: "?", does: "Show these keys", command: "overview" },
];
export const jumpLine = { shown: "0 – 9", does: "Jump to 0 – 90 % of the film" };

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };
/** The element with the focus: some elements use some keys themselves. */
type Focus = "text" | "button" | "slider" | "select" | "elsewhere";

const usesKey: Record<Focus, (key: string) => boolean> = {
  text: () => true,
  select: () => true,
  slider: (key) => key.startsWith("Arrow"),
  button: (key) => key === " ",
  elsewhere: () => false,
};

export function commandOf({ key, ctrlKey, metaKey, altKey }: Pressed, focus: Focus): Command | null {
  if (ctrlKey || metaKey || altKey || usesKey[focus](key)) return null;
  if (/^[0-9]$/.test(key)) return `jump-${Number(key)}`;
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  return keyLines.find(({ keys }) => keys.includes(pressed))?.command ?? null;
}

export function focusOf(element: Element | null): Focus {
  if (element instanceof HTMLInputElement) return element.type === "range" ? "slider" : "text";
  if (element instanceof HTMLSelectElement) return "select";
  if (element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable))
    return "text";
  return element instanceof HTMLButtonElement || element instanceof HTMLAnchorElement
    ? "button"
    : "elsewhere";
}
