import { useFetcher } from "react-router";
import { pathAdding, signInPath } from "#app/paths.ts";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";
import { BookmarkIcon, CheckIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useSiteData } from "#app/ui/shell/site.ts";

type Props = { malId: number; path: string; isListed: boolean };

/** Adds a title to the list with one press. The other fields of an entry are on the title's page. */
export function AddToList({ malId, path, isListed }: Props) {
  const { user } = useSiteData();
  const fetcher = useFetcher();
  if (user === null)
    return (
      <Link className="button" data-kind="glass" to={signInPath({ redirectTo: pathAdding(path, malId) })}>
        <BookmarkIcon />
        Add to list
      </Link>
    );
  if (isListed || fetcher.formData !== undefined) return <InList path={path} />;
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="mal_id" value={malId} />
      <input type="hidden" name="type" value="To Watch" />
      <VanishingButton className="button" data-kind="glass" name="intent" value="save">
        <BookmarkIcon />
        Add to list
      </VanishingButton>
    </fetcher.Form>
  );
}

const InList = ({ path }: { path: string }) => (
  <Link ref={useFocusPassedOn<HTMLAnchorElement>()} className="button" data-kind="glass" to={path}>
    <CheckIcon />
    In my list
  </Link>
);
