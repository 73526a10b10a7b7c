import { type ReactNode, useEffect, useRef, useState } from "react";
import { saveArrowMode } from "#app/ui/arrow-keys/arrow-choice.ts";
import { isArrowModeOn } from "#app/ui/arrow-keys/arrow-mode.ts";
import { hasSingleKeys, saveSingleKeys } from "#app/ui/shell/single-keys.ts";

/** The switches for single keys, saved at once in the browser. Without scripts there are no such keys. */
export const KeySwitches = () => (
  <>
    <BrowserSwitch label="Single keys, in this browser" read={hasSingleKeys} save={saveSingleKeys}>
      / goes to the search field, and on the page of an episode K, M, F and others control the player. Turn
      them off if you speak to your computer or press keys by accident.
    </BrowserSwitch>
    <BrowserSwitch
      label="Arrow keys move over the page, on this screen"
      read={isArrowModeOn}
      save={saveArrowMode}
    >
      For a television with a remote control: the arrow keys go from link to link, Enter chooses and Back goes
      back. They no longer scroll the page, or seek and change the volume of the player.
    </BrowserSwitch>
  </>
);

type Props = { label: string; read(): boolean; save(isOn: boolean): void; children: ReactNode };

function BrowserSwitch({ label, read, save, children }: Props) {
  const [isOn, setOn] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The server renders it unticked, so a tick was set before the scripts had loaded.
  useEffect(() => {
    if (field.current?.checked) save(true);
    setOn(read());
  }, [read, save]);
  const change = (isNowOn: boolean) => {
    save(isNowOn);
    setOn(isNowOn);
  };
  return (
    <div className="settings-switch script-only">
      <label className="check">
        <input
          ref={field}
          type="checkbox"
          autoComplete="off"
          checked={isOn}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        {label}
      </label>
      <p className="quiet">{children}</p>
    </div>
  );
}
