import { useEffect, useRef } from "react";
import { Form } from "react-router";
import type { ShownHeader } from "#app/domain/proxy/proxy.server.ts";
import { isSecretHeader, type SourceHeaderName, sourceHeaderNames } from "#app/domain/proxy/proxy.ts";
import { type AdminAnswer, AdminField } from "../admin-page.tsx";
import { IntentButton } from "../intent-button.tsx";

/** A form for each source: the request headers that only the source's own server gets. */

type SourceWithHeaders = { id: string; url: string; headers: readonly ShownHeader[] };

/** The form field that removes a secret header. An empty field keeps it, because its value is never shown. */
export const removalField = (name: SourceHeaderName) => `remove-${name}`;

type SectionProps = { sources: readonly SourceWithHeaders[]; answer: AdminAnswer };

export function SourceHeaders({ sources, answer }: SectionProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!answer || !("notice" in answer)) return;
    // A secret that is saved must not stay readable in its field.
    for (const field of section.current?.querySelectorAll<HTMLInputElement>("[type=password]") ?? [])
      field.value = "";
  }, [answer]);
  const remote = sources.filter(({ url }) => /^https?:/i.test(url));
  return (
    <section ref={section} aria-labelledby="headers">
      <h2 id="headers">Headers for a video</h2>
      {remote.map((source) => (
        // The key rebuilds the fields after a save. Without it they would show what was there before.
        <HeaderForm key={JSON.stringify(source)} source={source} />
      ))}
      <p className="quiet">
        {remote.length === 0
          ? "A video with an http or https address can have headers that its server asks for."
          : "The site sends them only to the host of the address, also for the segments and keys of its playlists. They are stored encrypted. Cookie and Authorization are never shown again. If you change the address to another host, its headers are deleted."}
      </p>
    </section>
  );
}

function HeaderForm({ source: { id, url, headers } }: { source: SourceWithHeaders }) {
  return (
    <details className="admin-headers" open={headers.length > 0}>
      <summary>
        <span className="admin-address">{url}</span>{" "}
        <span className="quiet">
          {headers.length === 0 ? "No headers" : headers.map(({ name }) => name).join(", ")}
        </span>
      </summary>
      <Form method="post" preventScrollReset className="admin-line">
        <input type="hidden" name="id" value={id} />
        {sourceHeaderNames.map((name) => (
          <HeaderField key={name} name={name} header={headers.find((one) => one.name === name)} />
        ))}
        <IntentButton intent="headers" label="Save headers" about={url} />
      </Form>
    </details>
  );
}

function HeaderField({ name, header }: { name: SourceHeaderName; header: ShownHeader | undefined }) {
  const isSecret = isSecretHeader(name);
  return (
    <div className="admin-header">
      <AdminField
        label={name}
        name={name}
        value={header?.value}
        type={isSecret ? "password" : "text"}
        isOptional
      />
      {header && !header.isReadable && (
        <p className="quiet">Set with another SESSION_SECRET, so it is not sent. Enter it again.</p>
      )}
      {header && isSecret && (
        <label className="quiet">
          <input type="checkbox" name={removalField(name)} /> Remove.{" "}
          {header.isReadable && "It is set; leave the field empty to keep it."}
        </label>
      )}
    </div>
  );
}
