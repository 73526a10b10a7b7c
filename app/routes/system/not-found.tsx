import { data } from "react-router";

/** Whatever no other route answers. The page itself is the root's, as for every missing thing. */
export const loader = () => {
  throw data(null, { status: 404 });
};

export const action = loader;

export default function NotFound() {
  return null;
}
