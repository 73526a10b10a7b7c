import type { Outcome } from "#app/domain/errors.ts";
import { createStoredPicture, pictureBudget } from "#app/domain/images/images.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { readPictureUpload } from "../picture-upload.server.ts";

type SentPicture = {
  request: Request;
  context: Context;
  userId: string;
  shape: Parameters<typeof createStoredPicture>[1];
};

/** Stores the picture that a form has sent, and passes its address to `save`. Null if both succeed. */
export async function saveSentPicture(
  { request, context, userId, shape }: SentPicture,
  save: (address: string) => Promise<Outcome<unknown>>,
): Promise<Response | null> {
  const requester = proxyRequesterOf(context);
  try {
    const saved = await pictureBudget(requester.client, async (admit) => {
      const { picture } = await readPictureUpload(request, admit);
      const stored = await createStoredPicture(picture, shape, { userId, kind: "upload" }, requester);
      return stored.ok ? save(stored.value) : stored;
    });
    return saved.ok ? null : refusalResponse(saved);
  } catch (error) {
    // `readPictureUpload` throws the answer to a body that it cannot read. A redirect is that of a guard.
    if (error instanceof Response && error.status >= 400) return error;
    throw error;
  }
}
