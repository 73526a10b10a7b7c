import { z } from "zod";
import { viewerOf } from "#app/access/viewer.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { displayTitle } from "#app/domain/catalog/catalog.ts";
import { dismissTitle, undismissTitle } from "#app/domain/library/library.server.ts";
import { type DismissalPlace, dismissalPlaces } from "#app/domain/library/library.ts";
import { addFavorite, removeFavorite } from "#app/domain/profile/profile.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { formErrorResponse } from "#app/http/forms/form.server.ts";
import { malIdInput } from "./mal-id.server.ts";

/** The intents of the list's form that change no entry: favorites and dismissals. */

const place = z.enum(dismissalPlaces);
export const dismissalInput = z.object({ malId: malIdInput, place });
type Dismissal = z.output<typeof dismissalInput>;

/** An undo contains either changes of entries or one dismissal. */
export const isDismissal = (undone: object): undone is Dismissal => "place" in undone;

export const opinionForms = [
  z.object({ intent: z.literal("dismiss"), mal_id: malIdInput, place }),
  z.object({ intent: z.literal("undismiss"), mal_id: malIdInput, place }),
  z.object({ intent: z.literal("favorite"), mal_id: malIdInput }),
  z.object({ intent: z.literal("unfavorite"), mal_id: malIdInput }),
] as const;

export type Opinion = z.output<(typeof opinionForms)[number]>;

const intents = opinionForms.map((form): string => form.shape.intent.value);
export const isOpinion = <Form extends { intent: string }>(input: Form): input is Extract<Form, Opinion> =>
  intents.includes(input.intent);

/** The answer to a change without an undo in the notice. */
const answer = (message: string) => ({ message, undo: [], offersCompleted: null });

export const undismissedAnswer = answer("The title is shown again");

export async function changeOpinion(user: SessionUser, input: Opinion, language: TitleLanguage) {
  const malId = input.mal_id;
  switch (input.intent) {
    case "favorite": {
      const added = await addFavorite(user.id, malId, viewerOf(user));
      return added.ok
        ? answer(`Added ${displayTitle(added.value, language)} to your favorites`)
        : formErrorResponse(added);
    }
    case "unfavorite":
      await removeFavorite(user.id, malId);
      return answer("Removed from your favorites");
    case "undismiss":
      await undismissTitle(user.id, { malId, place: input.place });
      return undismissedAnswer;
    case "dismiss": {
      const { place } = input;
      const dismissed = await dismissTitle(user.id, { malId, place }, viewerOf(user));
      if (!dismissed.ok) return formErrorResponse(dismissed);
      return {
        ...answer(dismissedTexts[place](displayTitle(dismissed.value, language))),
        undo: [{ malId, place }],
      };
    }
  }
}

const dismissedTexts: Record<DismissalPlace, (name: string) => string> = {
  suggestions: (name) => `${name} is not suggested any more`,
  continue: (name) => `Removed ${name} from your home page`,
};
