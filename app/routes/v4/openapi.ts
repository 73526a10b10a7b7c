import { jikanErrorObject } from "#app/access/jikan-errors.server.ts";
import type { AboutApi } from "#app/http/endpoint/openapi.server.ts";
import { openApiOperation } from "#app/http/endpoint/openapi-operation.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";
import { jikanPath } from "#app/paths.ts";
import { jikanMiddleware } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

/** The description of the API in Jikan's shapes in `/v4/openapi.json`. */
const aboutJikan: AboutApi = {
  info: {
    title: "Engawa, in the shapes of Jikan v4",
    version: "4",
    description:
      "The catalog of this site for clients of Jikan. What Jikan has and this catalog has not, such as reviews, news and manga, answers 404.",
    license: { name: "MIT", identifier: "MIT" },
  },
  tags: [
    { name: "About", description: "This document" },
    { name: "Anime", description: "Titles and episodes" },
    { name: "Lists", description: "Searches, seasons, schedules and ranks" },
    { name: "Names", description: "Genres, companies, people and characters" },
  ],
  covers: (path) => path.startsWith(`${jikanPath()}/`),
  base: jikanPath(),
  errors: jikanErrorObject,
};

export const loader = serve(openApiOperation(aboutJikan, "About"));
export const action = loader;
