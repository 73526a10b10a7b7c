import { Form, Link } from "react-router";
import { z } from "zod";
import { getEpisode, getTitle } from "#app/domain/catalog/catalog.server.ts";
import { largestId, mostEpisodes, skipKinds, sourceTypes } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import {
  addSource,
  addSubtitles,
  deleteSource,
  deleteSubtitles,
  listSources,
  listSubtitles,
  type Place,
  replaceSkips,
  updateSource,
} from "#app/domain/streaming/streaming.server.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { operatorPage } from "#app/http/guard.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { AdminPage, Field } from "#app/ui/admin/admin-page.tsx";
import { Skips, Sources, Subtitles } from "#app/ui/admin/episode-films.tsx";
import { skipsOfForm } from "#app/ui/admin/skip-rows.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { watchPath } from "#app/ui/watch-path.ts";
import type { Route } from "./+types/episode";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, operatorPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Films of an episode",
    description: "Sources, subtitles and segments to skip.",
  });

const placeOf = (url: URL): Place => ({
  malId: Number(url.searchParams.get("id") ?? 0),
  episode: Number(url.searchParams.get("episode") ?? 1),
});

/** An episode that nobody knows of yet begins to exist with its first film. */
export async function loader({ url }: Route.LoaderArgs) {
  const place = placeOf(url);
  const isWhole = Object.values(place).every((number) => Number.isInteger(number) && number >= 1);
  const isPossible = isWhole && place.malId <= largestId && place.episode <= mostEpisodes;
  const title = isPossible ? await getTitle(place.malId, true) : null;
  if (!title?.ok) return { place, films: null };
  const [sources, subtitles, episode] = await Promise.all([
    listSources(place),
    listSubtitles(place),
    getEpisode(place.malId, place.episode, true),
  ]);
  const skips = episode.ok ? episode.value.skip : [];
  return {
    place,
    films: { title: title.value.title, sources, subtitles, skips, types: sourceTypes, kinds: skipKinds },
  };
}

const url = z.string().trim();
const id = z.string();
const language = z.string().trim().max(35);
const words = z
  .string()
  .trim()
  .max(200)
  .transform((text) => text || null);
const source = z.object({
  url,
  type: z.union([z.enum(sourceTypes), z.literal("from the address")]).transform((type) => {
    return type === "from the address" ? undefined : type;
  }),
  label: words,
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
  z.object({
    intent: z.literal("add-subtitles"),
    url,
    language: language.min(2, "needs a code such as en"),
    label: words,
  }),
  z.object({ intent: z.literal("remove-subtitles"), id }),
  z.looseObject({ intent: z.literal("skips") }),
]);
type Change = z.output<typeof change>;

export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(change, request);
  if (!form.ok) return formFaults(form);
  const outcome = await apply(form.value, placeOf(url));
  return outcome.ok ? { notice: outcome.value } : formFaults(outcome);
}

async function apply(form: Change, place: Place): Promise<Outcome<string>> {
  switch (form.intent) {
    case "add-source": {
      const { intent, ...fields } = form;
      return told(await addSource({ ...place, ...fields }), "The source is registered.");
    }
    case "edit-source": {
      const { intent, id, ...fields } = form;
      return told(await updateSource(id, fields), "The source is changed.");
    }
    case "remove-source":
      return told(await deleteSource(form.id), "The source is removed.");
    case "add-subtitles": {
      const { intent, ...fields } = form;
      return told(await addSubtitles({ ...place, ...fields }), "The subtitles are registered.");
    }
    case "remove-subtitles":
      return told(await deleteSubtitles(form.id), "The subtitles are removed.");
    case "skips": {
      const skips = skipsOfForm(form);
      return skips.ok ? told(await replaceSkips(place, skips.value), "The segments are saved.") : skips;
    }
  }
}

const told = (outcome: Outcome<unknown>, notice: string): Outcome<string> =>
  outcome.ok ? done(notice) : outcome;

export default function EpisodeFilms({ loaderData: { place, films }, actionData }: Route.ComponentProps) {
  const { malId, episode } = place;
  return (
    <AdminPage
      title="Films of an episode"
      lead="What plays, in the order viewers are offered it; what is shown over it, and what may be skipped."
      answer={actionData}
    >
      <Form method="get" className="admin-line">
        <Field label="Title id" name="id" type="number" value={malId || null} />
        <Field label="Episode" name="episode" type="number" value={episode || 1} />
        <button className="button" type="submit">
          Open
        </button>
      </Form>
      {films === null
        ? malId !== 0 && (
            <p className="lead">The catalog has no title {malId}, or the episode is no number from 1.</p>
          )
        : // Keyed, so that no field keeps what was typed for another episode.
          [
            <p key="title" className="lead">
              {films.title}, episode {episode}.{" "}
              <Link className="link" to={watchPath(malId, episode)}>
                Watch it
              </Link>
            </p>,
            <Sources key={`sources ${malId} ${episode}`} sources={films.sources} types={films.types} />,
            <Subtitles key={`subtitles ${malId} ${episode}`} subtitles={films.subtitles} />,
            <Skips key={`skips ${malId} ${episode}`} skips={films.skips} kinds={films.kinds} />,
          ]}
    </AdminPage>
  );
}
