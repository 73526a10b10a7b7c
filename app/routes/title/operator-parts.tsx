import { Form } from "react-router";
import { adminDetailsPath, adminEpisodePath, adminHiddenPath, adminTitlePath } from "#app/admin-paths.ts";
import { InfoIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";

/** The parts of a title's page that only operators see. */

export const TitleOperatorLinks = ({ malId }: { malId: number }) => (
  <>
    <EditTitle malId={malId} />
    <Link
      className="button title-edit"
      data-kind="ghost"
      data-size="small"
      to={adminEpisodePath({ id: malId, episode: 1 })}
    >
      Edit videos
    </Link>
    <AskForDetails malId={malId} />
    <HideTitle malId={malId} />
  </>
);

const EditTitle = ({ malId }: { malId: number }) => (
  <Link className="button title-edit" data-kind="ghost" data-size="small" to={adminTitlePath({ id: malId })}>
    Edit
  </Link>
);

/** The page of details answers, and offers to turn them on. */
const AskForDetails = ({ malId }: { malId: number }) => (
  <Form method="post" action={adminDetailsPath()}>
    <input type="hidden" name="id" value={malId} />
    <button
      className="button title-edit"
      data-kind="ghost"
      data-size="small"
      type="submit"
      name="intent"
      value="title"
    >
      Get details
    </button>
  </Form>
);

/** The first press opens the explanation, the second one hides the title. */
function HideTitle({ malId }: { malId: number }) {
  return (
    <details className="title-hide">
      <summary className="button" data-kind="ghost" data-size="small">
        Hide from everybody
      </summary>
      <p>
        Nobody can find, open or play this title any more: not on pages, not by search, not through the API.
        It stays on members' lists, out of sight until you show it again.
      </p>
      <VisibilityForm malId={malId} intent="hide" label="Hide from everybody" />
    </details>
  );
}

type HiddenTitleView = { malId: number; title: string; hiddenBy: string | null; ago: string };

export function HiddenTitlePage({ malId, title, hiddenBy, ago }: HiddenTitleView) {
  return (
    <div className="wrap page">
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      <section className="notice" aria-label="Visibility">
        <InfoIcon />
        <div>
          <p>
            <b>Hidden from everybody</b>
            {hiddenBy ?? "An operator"} hid this title {ago}. For everybody else, this page does not exist. It
            stays on members' lists, out of sight.
          </p>
          <VisibilityForm malId={malId} intent="show" label="Show again" />
          <EditTitle malId={malId} />
        </div>
      </section>
    </div>
  );
}

type FormProps = { malId: number; intent: "hide" | "show"; label: string };

const VisibilityForm = ({ malId, intent, label }: FormProps) => (
  <Form method="post" action={adminHiddenPath()}>
    <input type="hidden" name="id" value={malId} />
    <input type="hidden" name="from" value="title" />
    <button className="button" type="submit" name="intent" value={intent}>
      {label}
    </button>
  </Form>
);
