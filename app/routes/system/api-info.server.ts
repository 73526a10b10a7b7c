import type { AboutApi } from "#app/http/endpoint/openapi.server.ts";
import { jikanPath } from "#app/paths.ts";

/** The description of the whole API in `/api/openapi.json`. The API in Jikan's shapes has a separate document. */
export const aboutApi: AboutApi = {
  covers: (path) => !path.startsWith(`${jikanPath()}/`),
  info: {
    title: "Engawa",
    version: "1",
    description: "Anime discovery, lists and streaming, self-hosted.",
    license: { name: "MIT", identifier: "MIT" },
  },
  tags: [
    { name: "Accounts", description: "Signing up and in, sessions, passwords and access tokens" },
    { name: "Catalog", description: "Titles and episodes" },
    { name: "Images", description: "Pictures, posters and the image proxy" },
    { name: "Images and video", description: "The video proxy and the operator's films" },
    { name: "Profile", description: "A member's profile, preferences and data" },
    { name: "Search history", description: "What a member has searched for" },
    { name: "System", description: "The state of the server, and this document" },
    { name: "Watch list", description: "The titles that a member keeps" },
    { name: "Watching", description: "Resume points and watched episodes" },
  ],
};
