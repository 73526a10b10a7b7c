import { Form } from "react-router";
import { z } from "zod";
import { type SourceType, sourceTypes } from "#app/domain/catalog/catalog.ts";
import {
  addSource,
  addSubtitles,
  type Proposal,
  proposeFromMediaDir,
  registerProposals,
} from "#app/domain/streaming/streaming.server.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { operatorPage } from "#app/http/guard.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { AdminPage, Cell, Table } from "#app/ui/admin/admin-page.tsx";
import { IntentButton } from "#app/ui/admin/intent-button.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import type { Route } from "./+types/films";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, operatorPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Media folder", description: "Films found, and the episodes they seem to be." });

/** A page stays readable; registering what is sure shortens the list. */
const shown = 500;

export async function loader() {
  const proposed = await proposeFromMediaDir();
  if (!proposed.ok)
    return { refusal: proposed.message ?? "The folder cannot be read", films: [], sure: 0, open: 0 };
  const open = proposed.value.filter(({ state }) => state !== "registered");
  const sure = open.filter(({ state }) => state === "new").length;
  return { refusal: null, films: open.slice(0, shown), sure, open: open.length };
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("register-sure") }),
  z.object({
    intent: z.literal("register"),
    url: z.string().startsWith("media:"),
    type: z.enum([...sourceTypes, "captions"]),
    language: z.string().max(35),
    id: z.coerce.number("needs a title id").int().positive(),
    episode: z.coerce.number().int().positive(),
  }),
]);

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(change, request);
  if (!form.ok) return formFaults(form);
  if (form.value.intent === "register-sure") {
    const proposed = await proposeFromMediaDir();
    if (!proposed.ok) return formFaults(proposed);
    return { notice: `${await registerProposals(proposed.value)} registered.` };
  }
  const { url, type, language, id: malId, episode } = form.value;
  const registered =
    type === "captions"
      ? await addSubtitles({ malId, episode, url, language: language || "und" })
      : await addSource({ malId, episode, url, type: type satisfies SourceType });
  return registered.ok ? { notice: `Registered as episode ${episode}.` } : formFaults(registered);
}

const states: Record<Proposal["state"], string> = {
  new: "sure",
  registered: "there already",
  unsure: "unsure",
  unmatched: "no title found",
  extra: "no episode",
};

export default function Films({ loaderData, actionData }: Route.ComponentProps) {
  const { refusal, films, sure, open } = loaderData;
  return (
    <AdminPage
      title="Media folder"
      lead="What lies in MEDIA_DIR and is not registered yet, with the episode that each file's name speaks of."
      answer={actionData}
    >
      {refusal !== null && <p className="lead">{refusal}.</p>}
      {refusal === null && films.length === 0 && <p className="lead">Every film found is registered.</p>}
      {sure > 0 && (
        <Form method="post" preventScrollReset>
          <button className="button" data-kind="primary" type="submit" name="intent" value="register-sure">
            Register the {sure} that {sure === 1 ? "is" : "are"} sure
          </button>
        </Form>
      )}
      {films.length > 0 && (
        <section aria-labelledby="films">
          <h2 id="films">
            {open} not registered{open > films.length && `, the first ${films.length} shown`}
          </h2>
          <Table label="Films" columns={["File", "Looks like", "Match", "Title id", "Episode", "Change"]}>
            {films.map((film, row) => (
              <FilmRow key={film.url} film={film} form={`film-${row}`} />
            ))}
          </Table>
        </section>
      )}
    </AdminPage>
  );
}

function FilmRow({ film, form }: { film: Proposal; form: string }) {
  const { path, url, type, title, episode, language, match, state } = film;
  return (
    <tr>
      <td className="admin-address">{path}</td>
      <td>{match?.title ?? (title || "–")}</td>
      <td>{states[state]}</td>
      <td>
        <Cell form={form} label={`Title id for ${path}`} name="id" value={match?.malId ?? null} isShort />
      </td>
      <td>
        <Cell form={form} label={`Episode for ${path}`} name="episode" value={episode ?? 1} isShort />
      </td>
      <td>
        <Form id={form} method="post" preventScrollReset className="admin-buttons">
          <input type="hidden" name="url" value={url} />
          <input type="hidden" name="type" value={type} />
          <input type="hidden" name="language" value={language ?? ""} />
          <IntentButton intent="register" words="Register" about={path} />
        </Form>
      </td>
    </tr>
  );
}
