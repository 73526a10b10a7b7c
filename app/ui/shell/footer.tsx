import { type RefObject, startTransition, useEffect, useRef, useState } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import {
  aboutDataPath,
  aboutPrivacyPath,
  apiGuidePath,
  browsePath,
  randomPath,
  schedulePath,
  settingsPath,
  visitorPath,
} from "#app/paths.ts";
import { isChangedEarly } from "../forms/early-change.ts";
import { Link } from "../link.tsx";
import { useSyncedField } from "../watch-list/synced-field.ts";
import { OperatorLinks } from "./operator-links.tsx";
import { useSiteData } from "./site.ts";
import { themeLabels } from "./themes.ts";

const choices = [
  [
    "Titles in",
    "titleLanguage",
    [
      ["browser", "As this browser"],
      ["english", "English"],
      ["romaji", "Romaji"],
      ["japanese", "Japanese"],
    ],
  ],
  ["Theme", "theme", Object.entries(themeLabels)],
] as const;

const links = (seasonPath: string) =>
  [
    [browsePath(), "Browse"],
    [seasonPath, "Seasons"],
    [schedulePath(), "Schedule"],
    [randomPath(), "Random"],
    [settingsPath(), "Settings"],
    [aboutDataPath(), "Data"],
    [aboutPrivacyPath(), "Privacy"],
    [apiGuidePath(), "API"],
  ] as const;

/** A child's pages do not link to the calendar, to the API or to texts about the site. */
const childLinks = [
  [browsePath(), "Browse"],
  [settingsPath(), "Settings"],
] as const;

export function Footer() {
  const { user, preferences, chosenTitleLanguage, seasonPath } = useSiteData();
  const isChild = user?.isChild === true;
  const shownLinks = isChild ? childLinks : links(seasonPath);
  const chosen = { theme: preferences.theme, titleLanguage: chosenTitleLanguage };
  const settings = useRef<HTMLDivElement>(null);
  const send = useChoiceQueue(settings);
  return (
    <footer className="foot">
      <div className="wrap foot-inner">
        <nav aria-label="More">
          {shownLinks.map(([to, label]) => (
            <Link key={label} to={to} rel={label === "Random" ? "nofollow" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        {!isChild && <OperatorLinks />}
        <div className="foot-settings" ref={settings}>
          {choices.map(([label, name, options]) => (
            <ChoiceForm
              key={name}
              label={label}
              name={name}
              options={options}
              chosen={chosen[name]}
              onChoose={send}
            />
          ))}
        </div>
      </div>
    </footer>
  );
}

/**
 * Sends the choices one after the other, because a second form ends the first. Returns how to add one. React keeps a
 * choice from before the scripts had loaded on the page and calls no handler for it, so those are added at the start.
 *
 * The router shows in a transition that it sends something, so each change of the queue is one too: `isIdle` is then true
 * only if nothing is being sent. At the start, the page above the footer sends its own early choices first.
 */
function useChoiceQueue(settings: RefObject<HTMLElement | null>) {
  const [waiting, setWaiting] = useState<readonly HTMLSelectElement[]>([]);
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    const early = [...(settings.current?.querySelectorAll("select") ?? [])].filter(isChangedEarly);
    if (early.length > 0) startTransition(() => setWaiting(early));
  }, [settings]);
  useEffect(() => {
    const [next] = waiting;
    if (next === undefined || !isIdle) return;
    next.form?.requestSubmit();
    startTransition(() => setWaiting((before) => before.slice(1)));
  }, [waiting, isIdle]);
  return (select: HTMLSelectElement) => startTransition(() => setWaiting((before) => [...before, select]));
}

type ChoiceProps = {
  label: string;
  name: string;
  options: readonly (readonly [value: string, text: string])[];
  chosen: string;
  onChoose(select: HTMLSelectElement): void;
};

/** Each choice is a form of its own, because the other one may have changed in another tab. */
function ChoiceForm({ label, name, options, chosen, onChoose }: ChoiceProps) {
  const { pathname, search } = useLocation();
  return (
    // On a reload, Firefox would fill in the choice from before, which would be sent as an early one.
    <Form method="post" action={visitorPath()} preventScrollReset autoComplete="off">
      <input type="hidden" name="redirectTo" value={pathname + search} />
      <label className="field">
        <span className="field-name">{label}</span>
        <select
          className="select"
          name={name}
          {...useSyncedField<HTMLSelectElement>(chosen, "keep")}
          onChange={(event) => onChoose(event.currentTarget)}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button className="button no-script-only" type="submit">
        Apply
      </button>
    </Form>
  );
}
