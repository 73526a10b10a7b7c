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
  const { pathname, search } = useLocation();
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
          {/* Each is sent alone: the other one may have changed in another tab. */}
          {choices.map(([label, name, options]) => (
            <Form key={name} method="post" action={visitorPath()} preventScrollReset>
              <input type="hidden" name="redirectTo" value={pathname + search} />
              <label className="field">
                <span className="field-name">{label}</span>
                <select
                  className="select"
                  name={name}
                  defaultValue={chosen[name]}
                  key={chosen[name]}
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
          ))}
        </div>
      </div>
    </footer>
  );
}
