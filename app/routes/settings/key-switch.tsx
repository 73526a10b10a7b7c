import { useEffect, useState } from "react";
import { hasSingleKeys, saveSingleKeys } from "#app/ui/shell/single-keys.ts";

/** Saved at once in the browser, which has the keys. Without scripts there are none. */
export function KeySwitch() {
  const [isOn, setOn] = useState(true);
  useEffect(() => setOn(hasSingleKeys()), []);
  const change = (isNowOn: boolean) => {
    saveSingleKeys(isNowOn);
    setOn(isNowOn);
  };
  return (
    <div className="settings-switch script-only">
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
        Single keys, in this browser
      </label>
      <p className="quiet">
        / goes to the search field, and on the page of an episode K, M, F and others control the film. Turn
        them off if you speak to your computer or press keys by accident. This saves at once.
      </p>
    </div>
  );
}
