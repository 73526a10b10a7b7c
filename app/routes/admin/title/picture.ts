import { redirect } from "react-router";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { adminTitlePath } from "#app/admin-paths.ts";
import {
  editTitle,
  getEditedTitle,
  pictureWord,
} from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { findStoredCid, keepPictureOfTitle } from "#app/domain/images/images.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { withRefusal } from "#app/ui/profile/picture-refusal.ts";
import { saveSentPicture } from "#app/wire/forms/picture-form.server.ts";
import type { Route } from "./+types/picture";
import { readTitleId } from "./title-changes.server.ts";

/** The action of the form that gives a title a picture. */
export const middleware: Route.MiddlewareFunction[] = [limited("user"), sameOriginPage, operatorPage];

export const loader = () => redirect(adminTitlePath());

export async function action({ request, context, url }: Route.ActionArgs) {
  const id = readTitleId(url);
  const page = adminTitlePath({ id });
  const operator = operatorOf(context);
  const refusal = (await getEditedTitle(id)).ok
    ? await saveSentPicture(
        { request, context, userId: operator.operatorId, shape: "title-picture" },
        async (address) => {
          const cid = findStoredCid(address, context.get(clientContext).origin);
          if (cid !== null) await keepPictureOfTitle(cid, id);
          return editTitle(id, [{ field: "picture", word: pictureWord(address) }], operator);
        },
      )
    : refusalResponse(refuse("not_found"));
  return redirect(refusal === null ? page : withRefusal(page, "poster", refusal.status), 303);
}
