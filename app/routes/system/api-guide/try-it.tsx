import { type FormEvent, useState } from "react";
import type { GuideEndpoint } from "./guide.server.ts";

type ShownAnswer = { line: string; text: string; image: string | null };

/**
 * Sends a request to this site with the browser's session. Without scripts, there is a form only for a GET request
 * whose path is fixed, and it opens the answer.
 */
export function TryIt({ entry }: { entry: GuideEndpoint }) {
  const [shown, setShown] = useState<ShownAnswer | null>(null);
  const [isSending, setSending] = useState(false);
  const isPlainForm = entry.method === "GET" && entry.fields.every(({ location }) => location !== "path");
  const textType = entry.body?.textType;

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setSending(true);
    const form = new FormData(event.currentTarget);
    setShown(await sendRequest(entry, form).catch(notReachedText));
    setSending(false);
  }

  return (
    <form
      className={isPlainForm ? "api-try" : "api-try script-only"}
      method="get"
      action={entry.path}
      onSubmit={send}
    >
      {entry.fields.map(({ name, location, required }) => (
        <label className="field" key={name}>
          <span className="field-name">{name}</span>
          <input className="input" name={`${location === "path" ? "/" : ""}${name}`} required={required} />
        </label>
      ))}
      {entry.body && textType && (
        <label className="field api-body">
          <span className="field-name">Body ({textType})</span>
          <textarea
            className="input"
            name=" body"
            rows={5}
            defaultValue={entry.body.example}
            spellCheck={false}
          />
        </label>
      )}
      <button className="button" data-size="small" type="submit" disabled={isSending}>
        Send {entry.method}
      </button>
      <output className="api-answer" aria-live="polite">
        {shown && (
          <>
            <strong>{shown.line}</strong>
            {shown.image !== null && <img src={shown.image} alt="The answer" />}
            {shown.text !== "" && <pre>{shown.text}</pre>}
          </>
        )}
      </output>
    </form>
  );
}

const notReachedText = (): ShownAnswer => ({
  line: "The site could not be reached. Check the connection and try again.",
  text: "",
  image: null,
});

async function sendRequest({ method, path, body }: GuideEndpoint, form: FormData): Promise<ShownAnswer> {
  const query = new URLSearchParams();
  let url = path;
  for (const [name, value] of form) {
    if (typeof value !== "string" || value === "" || name === " body") continue;
    if (name.startsWith("/")) url = url.replace(`{${name.slice(1)}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  const sent = form.get(" body");
  const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
    method,
    redirect: "manual",
    ...(sent && { body: sent, headers: { "Content-Type": body?.textType ?? "application/json" } }),
  });
  return toShown(response);
}

const maxShownCharacters = 20_000;

async function toShown(response: Response): Promise<ShownAnswer> {
  const type = response.headers.get("Content-Type") ?? "";
  const line = response.type === "opaqueredirect" ? "A redirect" : `${response.status} ${type}`;
  if (type.startsWith("image/")) return { line, text: "", image: URL.createObjectURL(await response.blob()) };
  if (!/json|text|xml|mpegurl/.test(type)) {
    await response.body?.cancel();
    return { line, text: "", image: null };
  }
  const text = await response.text();
  // NDJSON, whose type is `application/x-ndjson`, has several values and is shown as it is.
  const readable = /[/+]json\b/.test(type) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const cut = readable.length > maxShownCharacters ? `${readable.slice(0, maxShownCharacters)}\n…` : readable;
  return { line, text: cut, image: null };
}
