import { type FormEvent, useState } from "react";
import type { GuideEndpoint } from "./guide.server.ts";

type Shown = { line: string; text: string; image: string | null };

/** Asks this very site, as whoever is signed in here. Without JavaScript, what only reads still opens as a link would. */
export function TryIt({ entry }: { entry: GuideEndpoint }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const reads = entry.method === "GET";
  const types = entry.body?.types.filter((type) => type !== "multipart/form-data") ?? [];

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setWaiting(true);
    const form = new FormData(event.currentTarget);
    setShown(await ask(entry, form).catch(notReachedText));
    setWaiting(false);
  }

  return (
    <form className="api-try" method="get" action={entry.path} onSubmit={send}>
      {entry.fields.map(({ name, place, required }) => (
        <label className="field" key={name}>
          <span className="field-name">{name}</span>
          <input className="input" name={`${place === "path" ? "/" : ""}${name}`} required={required} />
        </label>
      ))}
      {types.length > 0 && (
        <label className="field api-body">
          <span className="field-name">Body ({types[0]})</span>
          <textarea
            className="input"
            name=" body"
            rows={5}
            defaultValue={entry.body?.example}
            spellCheck={false}
          />
        </label>
      )}
      <button
        className={reads ? "button" : "button script-only"}
        data-size="small"
        type="submit"
        disabled={isWaiting}
      >
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

const notReachedText = (): Shown => ({ line: "The site could not be reached", text: "", image: null });

async function ask({ method, path, body }: GuideEndpoint, form: FormData): Promise<Shown> {
  const query = new URLSearchParams();
  let address = path;
  for (const [name, value] of form) {
    if (typeof value !== "string" || value === "" || name === " body") continue;
    if (name.startsWith("/")) address = address.replace(`{${name.slice(1)}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  const sent = form.get(" body");
  const response = await fetch(query.size > 0 ? `${address}?${query}` : address, {
    method,
    redirect: "manual",
    ...(sent && { body: sent, headers: { "Content-Type": body?.types[0] ?? "application/json" } }),
  });
  return show(response);
}

const maxShownCharacters = 20_000;

async function show(response: Response): Promise<Shown> {
  const type = response.headers.get("Content-Type") ?? "";
  const line = response.type === "opaqueredirect" ? "A redirect" : `${response.status} ${type}`;
  if (type.startsWith("image/")) return { line, text: "", image: URL.createObjectURL(await response.blob()) };
  if (!/json|text|xml|mpegurl/.test(type)) {
    await response.body?.cancel();
    return { line, text: "", image: null };
  }
  const text = await response.text();
  const readable = type.includes("json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const cut = readable.length > maxShownCharacters ? `${readable.slice(0, maxShownCharacters)}\n…` : readable;
  return { line, text: cut, image: null };
}
