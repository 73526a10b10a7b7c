import { Fragment } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import { adminEpisodePath } from "#app/admin-paths.ts";
import { getEpisode, getTitle } from "#app/domain/catalog/catalog.server.ts";
import { displayTitle, maxEpisodeNumber, maxMalId, sourceTypes } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import type { Actor } from "#app/domain/events/events.server.ts";
import {
  createSource,
  createSubtitles,
  deleteSource,
  deleteSubtitles,
  type EpisodeKey,
  listSources,
  listSubtitles,
  replaceSkips,
  reportFilms,
  updateSource,
  updateSourceHeaders,
} from "#app/domain/playback/playback.server.ts";
import { type HeaderChange, listSourceHeaders } from "#app/domain/proxy/proxy.server.ts";
import { isSecretHeader, sourceHeaderNames } from "#app/domain/proxy/proxy.ts";
import { decideFilm } from "#app/domain/scanning/scanning.server.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { watchPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminField, AdminPage } from "../admin-page.tsx";
import { FilmReports } from "../film-reports.tsx";
import { FoundTitleLinks } from "../found-title-links.tsx";
import { findTitles } from "../found-titles.server.ts";
import type { Route } from "./+types/episode";
import { SkipForm, SourceTable, SubtitleTable, typeFromUrl } from "./episode-tables.tsx";
import { readSkipForm } from "./skip-rows.ts";
import { removalField, SourceHeaders } from "./source-headers.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Edit an episode",
    description: "Videos, subtitles and segments to skip of an episode.",
  });

/** The field `id` also takes a title's name. The id of the key is then 0. */
function readQuery({ searchParams }: URL): { name: string; episodeKey: EpisodeKey } {
  const id = searchParams.get("id") ?? "";
  const isNumber = /^\d*$/.test(id.trim());
  const episode = Number(searchParams.get("episode") ?? 1);
  return { name: isNumber ? "" : id, episodeKey: { malId: isNumber ? Number(id) : 0, episode } };
}

/** The catalog need not list the episode yet: registering the first source creates it. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const titleLanguage = memberTitleLanguage(request, context);
  const { name, episodeKey } = readQuery(url);
  const asked = { name, found: await findTitles(name, titleLanguage) };
  const isWhole = Object.values(episodeKey).every((number) => Number.isInteger(number) && number >= 1);
  const isPossible = isWhole && episodeKey.malId <= maxMalId && episodeKey.episode <= maxEpisodeNumber;
  const title = isPossible ? await getTitle(episodeKey.malId, catalogKeeper) : null;
  if (!title?.ok) return { episodeKey, asked, registered: null };
  const { malId, episode: number } = episodeKey;
  const [sources, headers, subtitles, episode, films] = await Promise.all([
    listSources(episodeKey),
    listSourceHeaders(episodeKey),
    listSubtitles(episodeKey),
    getEpisode(malId, number, catalogKeeper),
    reportFilms(malId, number),
  ]);
  const skips = episode.ok ? episode.value.skipSegments : [];
  return {
    episodeKey,
    asked,
    registered: {
      title: displayTitle(title.value, titleLanguage),
      sources: sources.map((source) => ({ ...source, headers: headers.get(source.id) ?? [] })),
      films,
      subtitles,
      skips,
    },
  };
}

const url = z.string().trim();
const id = z.string();
const language = z.string().trim().max(35);
const optionalText = z
  .string()
  .trim()
  .max(200)
  .transform((text) => text || null);
const source = z.object({
  url,
  type: z.enum(sourceTypes).or(z.literal(typeFromUrl).transform(() => undefined)),
  label: optionalText,
  language: language.transform((text) => text || null),
});
const change = z.discriminatedUnion("intent", [
  source.extend({ intent: z.literal("add-source") }),
  source.extend({
    intent: z.literal("edit-source"),
    id,
    type: z.enum(sourceTypes),
    position: z.coerce.number().int().min(0).max(10_000),
  }),
  z.object({ intent: z.literal("remove-source"), id }),
  z.object({ intent: z.literal("hide-film"), film: id }),
  z.looseObject({ intent: z.literal("headers"), id }),
  z.object({
    intent: z.literal("add-subtitles"),
    url,
    language: language.min(2, "needs a code such as en"),
    label: optionalText,
  }),
  z.object({ intent: z.literal("remove-subtitles"), id }),
  z.looseObject({ intent: z.literal("skips") }),
]);
type Change = z.output<typeof change>;

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const outcome = await apply(form.value, readQuery(url).episodeKey, operatorOf(context));
  return outcome.ok ? { intent: form.value.intent, notice: outcome.value } : formErrorResponse(outcome);
}

async function apply(form: Change, episodeKey: EpisodeKey, operator: Actor): Promise<Outcome<string>> {
  switch (form.intent) {
    case "add-source": {
      const { intent, ...fields } = form;
      return withNotice(await createSource({ ...episodeKey, ...fields }), "The video is added.");
    }
    case "edit-source": {
      const { intent, id, ...fields } = form;
      const outcome = await updateSource(id, fields);
      const lostText = " Its headers are deleted, because the address has another host.";
      return outcome.ok && outcome.value.losesHeaders
        ? done(`The video is saved.${lostText}`)
        : withNotice(outcome, "The video is saved.");
    }
    case "remove-source":
      return withNotice(await deleteSource(form.id), "The video is removed.");
    case "hide-film":
      return withNotice(
        await decideFilm({ kind: "ignored", filmId: form.film }, operator),
        "Nobody can find or play the video any more. You can undo this on the page “Media folder”.",
      );
    case "headers":
      return withNotice(
        await updateSourceHeaders(form.id, readHeaders(form), operator),
        "The headers are saved.",
      );
    case "add-subtitles": {
      const { intent, ...fields } = form;
      return withNotice(await createSubtitles({ ...episodeKey, ...fields }), "The subtitles are added.");
    }
    case "remove-subtitles":
      return withNotice(await deleteSubtitles(form.id), "The subtitles are removed.");
    case "skips": {
      const skips = readSkipForm(form);
      return skips.ok
        ? withNotice(await replaceSkips(episodeKey, skips.value), "The segments are saved.")
        : skips;
    }
  }
}

/** An empty field removes its header, but leaves a secret header unchanged: the page never shows a secret value. */
function readHeaders(form: Readonly<Record<string, unknown>>): HeaderChange {
  const change: HeaderChange = {};
  for (const name of sourceHeaderNames) {
    const typed = String(form[name] ?? "").trim();
    const isKept = isSecretHeader(name) && form[removalField(name)] === undefined;
    if (typed !== "") change[name] = typed;
    else if (form[name] !== undefined && !isKept) change[name] = null;
  }
  return change;
}

const withNotice = (outcome: Outcome<unknown>, notice: string): Outcome<string> =>
  outcome.ok ? done(notice) : outcome;

export default function EditEpisode({
  loaderData: { episodeKey, asked, registered },
  actionData,
}: Route.ComponentProps) {
  const { malId, episode } = episodeKey;
  return (
    <AdminPage
      title="Edit an episode"
      lead="The videos in the order in which viewers get them, the subtitles, and the segments that viewers can skip."
      answer={actionData}
    >
      <Form method="get" className="admin-line">
        <AdminField label="Name or catalog number of a title" name="id" value={asked.name || malId || null} />
        <AdminField label="Episode" name="episode" type="number" value={episode || 1} />
        <button className="button" type="submit">
          Open
        </button>
      </Form>
      {asked.found.length > 0 && (
        <FoundTitleLinks
          titles={asked.found}
          pathOf={(id) => adminEpisodePath({ id, episode: episode || 1 })}
        />
      )}
      {asked.name !== "" && asked.found.length === 0 && (
        <p className="lead">The catalog has no title called {asked.name}.</p>
      )}
      {registered === null ? (
        malId !== 0 && (
          <p className="lead">
            The catalog has no title with the number {malId}, or the episode number is not valid.
          </p>
        )
      ) : (
        // Without the key, fields would keep what was typed for another episode.
        <Fragment key={`${malId} ${episode}`}>
          <p className="lead">
            {registered.title}, episode {episode}.{" "}
            <Link className="link" to={watchPath(malId, episode)}>
              Watch
            </Link>
          </p>
          <SourceTable sources={registered.sources} answer={actionData} />
          <FilmReports films={registered.films} />
          <SourceHeaders sources={registered.sources} answer={actionData} />
          <SubtitleTable subtitles={registered.subtitles} answer={actionData} />
          <SkipForm skips={registered.skips} />
        </Fragment>
      )}
    </AdminPage>
  );
}
