import { Form } from "react-router";
import { z } from "zod";
import { findSignUpState } from "#app/domain/accounts/accounts.server.ts";
import { type SourceType, sourceTypes } from "#app/domain/catalog/catalog.ts";
import {
  createSource,
  createSubtitles,
  type FilmProposal,
  proposeFromMediaDir,
  registerProposals,
  reportNewestFilms,
} from "#app/domain/streaming/streaming.server.ts";
import { openFilmsText } from "#app/domain/streaming/streaming.ts";
import { operatorPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { ffmpegText } from "#app/platform/ffmpeg/ffmpeg.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/films";
import { AdminCell, AdminPage, AdminTable } from "./admin-page.tsx";
import { FilmList } from "./film-reports.tsx";
import { IntentButton } from "./intent-button.tsx";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Media folder",
    description: "Films that are not registered yet, and the episodes they seem to be.",
  });

/** Keeps the page short enough to read. Registering the certain matches shortens the list. */
const maxFilms = 500;
const maxRegistered = 200;

export async function loader() {
  const [proposed, newest, signUps] = await Promise.all([
    proposeFromMediaDir(),
    reportNewestFilms(maxRegistered),
    findSignUpState(),
  ]);
  const warning = openFilmsText(env, signUps.mode === "open");
  const about = { converter: ffmpegText(), warning, newest };
  if (!proposed.ok) {
    const refusal = proposed.message ?? "The folder cannot be read";
    return { ...about, refusal, films: [], sure: 0, open: 0 };
  }
  const open = proposed.value.filter(({ state }) => state !== "registered");
  const sure = open.filter(({ state }) => state === "new").length;
  return { ...about, refusal: null, films: open.slice(0, maxFilms), sure, open: open.length };
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
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  if (form.value.intent === "register-sure") {
    const proposed = await proposeFromMediaDir();
    if (!proposed.ok) return formErrorResponse(proposed);
    return { notice: `Files registered: ${await registerProposals(proposed.value)}.` };
  }
  const { url, type, language, id: malId, episode } = form.value;
  const registered =
    type === "captions"
      ? await createSubtitles({ malId, episode, url, language: language || "und" })
      : await createSource({ malId, episode, url, type: type satisfies SourceType });
  return registered.ok ? { notice: `Registered as episode ${episode}.` } : formErrorResponse(registered);
}

const states: Record<FilmProposal["state"], string> = {
  new: "certain",
  registered: "registered already",
  unsure: "uncertain",
  unmatched: "no title found",
  extra: "not an episode",
};

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export default function Films({ loaderData, actionData }: Route.ComponentProps) {
  const { converter, warning, newest, refusal, films, sure, open } = loaderData;
  return (
    <AdminPage
      title="Media folder"
      lead="Files in MEDIA_DIR that are not registered yet, with the episode that each file name suggests."
      answer={actionData}
    >
      {refusal !== null && <p className="lead">{refusal}.</p>}
      {warning !== null && <p className="admin-warning">{sentence(warning)}</p>}
      {refusal === null && <p>{converter}</p>}
      {refusal === null && films.length === 0 && (
        <p className="lead">All films in the folder are registered.</p>
      )}
      {sure > 0 && (
        <Form method="post" preventScrollReset>
          <button className="button" data-kind="primary" type="submit" name="intent" value="register-sure">
            Register {sure} certain {sure === 1 ? "match" : "matches"}
          </button>
        </Form>
      )}
      {films.length > 0 && (
        <section aria-labelledby="films">
          <h2 id="films">
            {open} not registered{open > films.length && `, showing the first ${films.length}`}
          </h2>
          <AdminTable
            label="Films"
            columns={["File", "Suggested title", "Match", "Title id", "Episode", "Change"]}
          >
            {films.map((film, row) => (
              <FilmRow key={film.url} film={film} form={`film-${row}`} />
            ))}
          </AdminTable>
        </section>
      )}
      <FilmList {...newest} />
    </AdminPage>
  );
}

function FilmRow({ film, form }: { film: FilmProposal; form: string }) {
  const { path, url, type, title, episode, language, match, state, reasons } = film;
  return (
    <tr>
      <td className="admin-address">{path}</td>
      <td>{match?.title ?? (title || "–")}</td>
      <td>{[states[state], ...reasons].join("; ")}</td>
      <td>
        <AdminCell
          form={form}
          label={`Title id for ${path}`}
          name="id"
          value={match?.malId ?? null}
          isShort
        />
      </td>
      <td>
        <AdminCell form={form} label={`Episode for ${path}`} name="episode" value={episode ?? 1} isShort />
      </td>
      <td>
        <Form id={form} method="post" preventScrollReset className="admin-buttons">
          <input type="hidden" name="url" value={url} />
          <input type="hidden" name="type" value={type} />
          <input type="hidden" name="language" value={language ?? ""} />
          <IntentButton intent="register" label="Register" about={path} />
        </Form>
      </td>
    </tr>
  );
}
