import { useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
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
import { Link } from "../link.tsx";
import { OperatorLinks } from "./operator-links.tsx";
import { useSiteData } from "./site.ts";

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
  [
    "Theme",
    "theme",
    [
      ["system", "As this device"],
      ["dark", "Dark"],
      ["light", "Light"],
    ],
  ],
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
        <div className="foot-settings">
          {choices.map(([label, name, options]) => (
            <ChoiceForm key={name} label={label} name={name} options={options} chosen={chosen[name]} />
          ))}
        </div>
      </div>
    </footer>
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  options: readonly (readonly [value: string, text: string])[];
  chosen: string;
};

/** Each choice is a form of its own, because the other one may have changed in another tab. */
function ChoiceForm({ label, name, options, chosen }: ChoiceProps) {
  const { pathname, search } = useLocation();
  const select = useRef<HTMLSelectElement>(null);
  // Sends a choice that was made before the scripts had loaded. React keeps it on the page and calls no handler for it.
  useEffect(() => {
    if (select.current && select.current.value !== chosen) select.current.form?.requestSubmit();
  }, [chosen]);
  return (
    // On a reload, Firefox would fill in the choice from before, and the effect would send it.
    <Form method="post" action={visitorPath()} preventScrollReset autoComplete="off">
      <input type="hidden" name="redirectTo" value={pathname + search} />
      <label className="field">
        <span className="field-name">{label}</span>
        <select
          ref={select}
          className="select"
          name={name}
          defaultValue={chosen}
          key={chosen}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
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
