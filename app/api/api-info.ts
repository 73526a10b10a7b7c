/** What `/api/openapi.json` says of the API as a whole. */
export const apiInfo = {
  title: "Engawa",
  version: "1",
  description: "Anime discovery, lists and streaming, self-hosted.",
};
