/** The `info` object of `/api/openapi.json`. */
export const apiInfo = {
  title: "Engawa",
  version: "1",
  description: "Anime discovery, lists and streaming, self-hosted.",
};
