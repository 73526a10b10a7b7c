import { Link, useFetcher } from "react-router";
import { BookmarkIcon, CheckIcon } from "./icons.tsx";
import { useSite } from "./site.ts";
import { titlePath } from "./title.ts";

type Props = { malId: number; name: string; isListed: boolean };

/** One press keeps a title for later; the rest of what a list knows is on the title's own page. */
export function AddToList({ malId, name, isListed }: Props) {
  const { user } = useSite();
  const fetcher = useFetcher();
  const path = titlePath(malId, name);
  if (user === null)
    return (
      <Link className="button" data-kind="glass" to={`/signin?redirectTo=${encodeURIComponent(path)}`}>
        <BookmarkIcon />
        Add to list
      </Link>
    );
  if (isListed || fetcher.formData !== undefined)
    return (
      <Link className="button" data-kind="glass" to={path}>
        <CheckIcon />
        In my list
      </Link>
    );
  return (
    <fetcher.Form method="post" action={path}>
      <button className="button" data-kind="glass" type="submit" name="type" value="To Watch">
        <BookmarkIcon />
        Add to list
      </button>
    </fetcher.Form>
  );
}
