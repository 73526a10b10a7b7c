import type { ComponentProps } from "react";
import { useFocusPassedOn } from "./focus-passed-on.ts";

/** A submit button that may disappear when it is pressed, and then passes the focus on. */
export const VanishingButton = (props: ComponentProps<"button">) => (
  <button ref={useFocusPassedOn<HTMLButtonElement>()} type="submit" {...props} />
);
