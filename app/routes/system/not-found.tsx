import { data } from "react-router";

/** Matches every path that no other route matches. The root's error boundary renders the page. */
export const loader = () => {
  throw data(null, { status: 404 });
};

export const action = loader;

export default function NotFound() {
  return null;
}
