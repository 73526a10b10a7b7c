import { Form, Link, useLocation } from "react-router";
import {
  aboutDataPath,
  apiGuidePath,
  browsePath,
  randomPath,
  schedulePath,
  settingsPath,
  visitorPath,
} from "#app/paths.ts";
import { useSiteData } from "./site.ts";

export function Footer() {
  const { preferences, seasonPath } = useSiteData();
  const { pathname, search } = useLocation();
  return (
    <footer className="foot">
      <div className="wrap foot-inner">
        <nav aria-label="More">
          <Link to={browsePath()}>Browse</Link>
          <Link to={seasonPath}>Seasons</Link>
          <Link to={schedulePath()}>Schedule</Link>
          <Link to={randomPath()} rel="nofollow">
            Random
          </Link>
          <Link to={settingsPath()}>Settings</Link>
          <Link to={aboutDataPath()}>Data</Link>
          <Link to={apiGuidePath()}>API</Link>
        </nav>
        <Form className="foot-settings" method="post" action={visitorPath()} preventScrollReset>
          <input type="hidden" name="redirectTo" value={pathname + search} />
          <label className="field">
            <span className="field-name">Titles in</span>
            <select
              className="select"
              name="titleLanguage"
              defaultValue={preferences.titleLanguage}
              key={preferences.titleLanguage}
              onChange={(event) => event.currentTarget.form?.requestSubmit()}
            >
              <option value="romaji">Romaji</option>
              <option value="english">English</option>
              <option value="japanese">Japanese</option>
            </select>
          </label>
          <button className="button no-script-only" type="submit">
            Apply
          </button>
        </Form>
      </div>
    </footer>
  );
}
