import type { Params } from "react-router";
import { z } from "zod";
import { jikanError, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { apiViewer } from "#app/access/viewer.server.ts";
import {
  getTitle,
  type ListingQuery,
  listTitles,
  readTagNumbers,
} from "#app/domain/catalog/catalog.server.ts";
import type { TitleDetails } from "#app/domain/catalog/catalog.ts";
import { readRanks } from "#app/domain/discovery/discovery.server.ts";
import { type Refusal, refuse } from "#app/domain/errors.ts";
import { commonViewer, isChildViewer, type Viewer } from "#app/domain/visibility/visibility.server.ts";
import { type CachePolicy, publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { isRefusal } from "#app/http/endpoint/error-response.server.ts";
import { type OperationRoute, operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import {
  animeListObject,
  animeListOnWire,
  type CatalogFacts,
} from "#app/wire/jikan/anime/anime-json.server.ts";
import { limitParam, pageParam } from "#app/wire/jikan/paging.server.ts";
import { idParam, queryFlag, requireNumber } from "#app/wire/jikan/parameters.server.ts";

/** The common rules of all endpoints of `/v4`: who may read them, which titles they show, how long caches keep them. */

export const jikanMiddleware = [whereOffered, limited("jikan")];

const sfw = queryFlag.describe("false also shows adult titles, to those who may see them");

/** Jikan has no 403, so clients expect 404 for a title that they may not see. */
const adultTitle = refuse("not_found", "An adult title. sfw=false shows it to those who may see it");
const titleNotForChild = refuse("not_found", "This profile does not show this title");

type JikanRequest<Query extends z.ZodRawShape> = {
  query: z.output<z.ZodObject<Query>>;
  params: Params;
  viewer: Viewer;
  facts: CatalogFacts;
};

type Declaration<Query extends z.ZodRawShape, Answer extends z.ZodType> = {
  tag: string;
  summary: string;
  params?: Record<string, z.ZodType>;
  query?: Query;
  answer: Answer;
  cache?: CachePolicy;
  handle(input: JikanRequest<Query>): Promise<z.input<Answer> | Refusal>;
};

export const jikanOperation = <Answer extends z.ZodType, Query extends z.ZodRawShape = Record<never, never>>({
  query,
  cache = publicListing,
  handle,
  ...declared
}: Declaration<Query, Answer>): OperationRoute =>
  serve(
    operation("GET", {
      ...declared,
      query: z.object({ ...query, sfw }),
      flags: ["sfw", "unapproved", "continuing"],
      sharing: withAnyone,
      cache,
      isPersonal: (given) => given.sfw === false,
      errorShape: jikanError,
      refuses: ["not_found"],
      async handle({ query: given, params, request, context }) {
        const viewer = await apiViewer(request, context, given.sfw !== false);
        const [numberOf, rankOf] = await Promise.all([readTagNumbers(), readRanks(commonViewer(viewer))]);
        const facts = { origin: context.get(clientContext).origin, numberOf, rankOf };
        const answer = await handle({ query: given as JikanRequest<Query>["query"], params, viewer, facts });
        if (!isRefusal(answer) || answer.reason !== "forbidden") return answer as never;
        return isChildViewer(viewer) ? titleNotForChild : adultTitle;
      },
    }),
  );

type TitleReader = Pick<JikanRequest<Record<never, never>>, "viewer" | "facts">;

/**
 * An endpoint about one title, whose number is in the path. `toData` returns a refusal for a title without such data.
 */
export const titleOperation = <Data extends z.ZodType>(
  summary: string,
  data: Data,
  toData: (title: TitleDetails, reader: TitleReader) => Promise<z.input<Data> | Refusal> | z.input<Data>,
): OperationRoute =>
  jikanOperation({
    tag: "Anime",
    summary,
    params: idParam,
    answer: z.object({ data }),
    async handle({ params, viewer, facts }) {
      const title = await getTitle(requireNumber(params.id), viewer);
      if (!title.ok) return title;
      const outcome = await toData(title.value, { viewer, facts });
      return (isRefusal(outcome) ? outcome : { data: outcome }) as never;
    },
  });

type ListDeclaration<Query extends z.ZodRawShape> = {
  summary: string;
  params?: Record<string, z.ZodType>;
  query: Query;
  toListing(input: Pick<JikanRequest<Query>, "query" | "params">): Pick<ListingQuery, "filters" | "order">;
};

/** An endpoint that lists titles in pages. */
export const listOperation = <Query extends z.ZodRawShape>({
  query,
  toListing,
  ...declared
}: ListDeclaration<Query>): OperationRoute =>
  jikanOperation({
    tag: "Lists",
    ...declared,
    query: { ...query, page: pageParam, limit: limitParam },
    answer: animeListObject,
    async handle({ query: given, params, viewer, facts }) {
      const { page, limit: perPage } = given as { page: number; limit: number };
      const listing = toListing({ query: given as JikanRequest<Query>["query"], params });
      return animeListOnWire(await listTitles({ ...listing, page, perPage }, viewer), facts);
    },
  });
