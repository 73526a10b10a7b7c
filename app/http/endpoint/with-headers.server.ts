/** Adds headers to an answer, also to one whose headers are immutable, as those of `Response.redirect()` are. */
export function withHeaders(response: Response, entries: Record<string, string>): Response {
  try {
    for (const [name, value] of Object.entries(entries)) response.headers.set(name, value);
    return response;
  } catch {
    const copy = new Response(response.body, response);
    for (const [name, value] of Object.entries(entries)) copy.headers.set(name, value);
    return copy;
  }
}
