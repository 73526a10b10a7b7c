import { data } from "react-router";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";

export const middleware = [unlimited("Has no action of its own: it answers posts to unknown addresses")];

/** Matches every path that no other route matches. The root's error boundary renders the page. */
export const loader = () => {
  throw data(null, { status: 404 });
};

export const action = loader;

export default function NotFound() {
  return null;
}
