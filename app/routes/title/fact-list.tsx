import { Fragment } from "react";
import { Link } from "#app/ui/link.tsx";
import type { Fact } from "./title-facts.server.ts";

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ name, values }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {values.map(({ text, to, url }, index) => (
              <Fragment key={url ?? text}>
                {index > 0 && ", "}
                {to !== undefined && <Link to={to}>{text}</Link>}
                {url !== undefined && (
                  <a href={url} rel="noreferrer">
                    {text}
                  </a>
                )}
                {to === undefined && url === undefined && text}
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
