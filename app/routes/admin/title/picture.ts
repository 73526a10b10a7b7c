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
import {
  createStoredPicture,
  findStoredCid,
  keepPictureOfTitle,
  pictureBudget,
} from "#app/domain/images/images.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { statusOfReason } from "#app/http/endpoint/error-response.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { withRefusal } from "#app/ui/profile/picture-refusal.ts";
import { readPictureUpload } from "#app/wire/picture-upload.server.ts";
import type { Route } from "./+types/picture";
import { readTitleId } from "./title-changes.server.ts";

/** The action of the form that gives a title a picture. */
export const middleware: Route.MiddlewareFunction[] = [limited("user"), sameOriginPage, operatorPage];

export const loader = () => redirect(adminTitlePath());

export async function action({ request, context, url }: Route.ActionArgs) {
  const id = readTitleId(url);
  const page = adminTitlePath({ id });
  const status = await savePicture(id, request, context);
  return redirect(status === null ? page : withRefusal(page, "poster", status), 303);
}

/** Null if the picture is saved, else the status of the refusal. */
async function savePicture(malId: number, request: Request, context: Context): Promise<number | null> {
  if (!(await getEditedTitle(malId)).ok) return statusOfReason("not_found");
  const operator = operatorOf(context);
  const requester = proxyRequesterOf(context);
  const use = { userId: operator.operatorId, kind: "upload" } as const;
  try {
    const saved = await pictureBudget(requester.client, async (admit) => {
      const { picture } = await readPictureUpload(request, admit);
      const stored = await createStoredPicture(picture, "title-picture", use, requester);
      if (!stored.ok) return stored;
      const cid = findStoredCid(stored.value, context.get(clientContext).origin);
      if (cid !== null) await keepPictureOfTitle(cid, malId);
      return editTitle(malId, [{ field: "picture", word: pictureWord(stored.value) }], operator);
    });
    return saved.ok ? null : statusOfReason(saved.reason);
  } catch (error) {
    // `readPictureUpload` throws the answer to a body that it cannot read.
    if (error instanceof Response) return error.status;
    throw error;
  }
}
