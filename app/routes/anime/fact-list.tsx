import { Fragment } from "react";
import { Link } from "react-router";
import type { Fact } from "./title-facts.server.ts";

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ name, values }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {values.map(({ text, to, lang }, index) => (
              <Fragment key={text}>
                {index > 0 && ", "}
                {to === undefined ? <span lang={lang}>{text}</span> : <Link to={to}>{text}</Link>}
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
