/** Sets headers. Copies a response whose headers are immutable, such as `Response.redirect()`. */
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
