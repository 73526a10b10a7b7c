import { Form } from "react-router";
import type { Title } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { Link } from "#app/ui/link.tsx";
import { nameIn } from "#app/ui/titles/title-name.ts";

type TitleRow = { malId: number; path: string; name: string; lang?: "ja" };

export const toTitleRow = (title: Title, language: TitleLanguage): TitleRow => ({
  ...nameIn(title, language),
  malId: title.malId,
  path: titlePath(title.malId, title.title),
});

type Button = { label: string; name: string; value: string };

/** Titles, each with a button that sends its `id` to the page. */
export function TitleRows({ titles, button }: { titles: readonly TitleRow[]; button: Button }) {
  if (titles.length === 0) return null;
  return (
    <ul className="settings-rows">
      {titles.map((title) => (
        <Row key={title.malId} title={title} button={button} />
      ))}
    </ul>
  );
}

function Row({ title: { malId, path, name, lang }, button }: { title: TitleRow; button: Button }) {
  const { label, ...sent } = button;
  return (
    <li ref={useFocusPassedOn()}>
      <Link to={path} lang={lang}>
        {name}
      </Link>
      <Form method="post">
        <input type="hidden" name="id" value={malId} />
        <button className="button" data-kind="ghost" data-size="small" type="submit" {...sent}>
          {label}
          <span className="visually-hidden"> {name}</span>
        </button>
      </Form>
    </li>
  );
}
