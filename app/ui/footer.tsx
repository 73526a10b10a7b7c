import { Form, Link, useLocation } from "react-router";
import { useSite } from "./site.ts";

export function Footer() {
  const { preferences, seasonPath } = useSite();
  const { pathname, search } = useLocation();
  return (
    <footer className="foot">
      <div className="wrap foot-inner">
        <nav aria-label="More">
          <Link to="/browse">Browse</Link>
          <Link to={seasonPath}>Seasons</Link>
          <Link to="/schedule">Schedule</Link>
          <Link to="/random" rel="nofollow">
            Random
          </Link>
          <Link to="/settings">Settings</Link>
          <Link to="/api">API</Link>
        </nav>
        <Form className="foot-settings" method="post" action="/visitor" preventScrollReset>
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
