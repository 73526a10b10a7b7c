import type { GuideEndpoint } from "./guide.server.ts";
import { TryIt } from "./try-it.tsx";

/** One endpoint: a summary line that opens to its details. */
export function ApiEndpoint({ entry }: { entry: GuideEndpoint }) {
  return (
    <details className="api-entry" id={entry.id}>
      <summary>
        <code className="api-method" data-method={entry.method}>
          {entry.method}
        </code>
        <code className="api-path">{entry.path}</code>
        <span className="api-summary">{entry.summary}</span>
      </summary>
      <div className="api-about">
        {entry.description !== "" && <p>{entry.description}</p>}
        <p className="api-access">{entry.access}.</p>
        {entry.aliases.length > 0 && (
          <p>
            Also at <code>{entry.aliases.join(", ")}</code>
          </p>
        )}
        <Fields entry={entry} />
        {entry.body?.shapes.map(({ types, shape }) => (
          <Shape key={shape} title={`Send ${types.join(", ")}`} shape={shape} />
        ))}
        {entry.answers.map((answer) => (
          <Answer key={answer.status} answer={answer} />
        ))}
        {entry.refusals.length > 0 && (
          <p className="api-access">
            Errors: {entry.refusals.join(", ")}, with <code>{'{ "error": string, "status": integer }'}</code>
          </p>
        )}
        <TryIt entry={entry} />
      </div>
    </details>
  );
}

function Fields({ entry }: { entry: GuideEndpoint }) {
  if (entry.fields.length === 0) return null;
  return (
    <dl className="api-fields">
      {entry.fields.map(({ name, required, kind, description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {required && " (required)"}
          </dt>
          <dd>
            <code>{kind}</code> {description}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Answer({ answer: { status, description, shapes } }: { answer: GuideEndpoint["answers"][number] }) {
  if (shapes.length === 0) return <Shape title={`${status}: ${description}`} shape="" />;
  return shapes.map(({ types, shape }) => (
    <Shape key={shape} title={`${status}: ${types.join(", ")}`} shape={shape} />
  ));
}

function Shape({ title, shape }: { title: string; shape: string }) {
  return (
    <div className="api-shape">
      <h3>{title}</h3>
      {shape !== "" && <pre>{shape}</pre>}
    </div>
  );
}
