import { Form, useLocation } from "react-router";
import { adminTitlePicturePath } from "#app/admin-paths.ts";
import { UploadIcon, WarningIcon } from "#app/ui/icons/tool-icons.tsx";
import { refusedPictureText } from "#app/ui/profile/picture-refusal.ts";
import { usePosterPath } from "#app/ui/titles/poster-path.ts";
import { IntentButton } from "../intent-button.tsx";
import type { FieldView } from "./title-view.server.ts";
import { SourceNote } from "./unlock-button.tsx";

type Props = { malId: number; picture: FieldView };

export function TitlePictureForm({ malId, picture }: Props) {
  const { search } = useLocation();
  const refusal = refusedPictureText("poster", search);
  const posterPathOf = usePosterPath(malId);
  return (
    <section aria-labelledby="picture">
      <h2 id="picture">Picture</h2>
      <div className="admin-picture">
        <img
          src={posterPathOf(320)}
          alt={picture.text === "" ? "The drawn poster" : "The picture"}
          width={120}
          height={180}
        />
        <div className="admin-picture-forms">
          <form
            method="post"
            action={adminTitlePicturePath(malId)}
            encType="multipart/form-data"
            className="admin-line"
          >
            <label className="field">
              <span className="field-name">New picture, upright</span>
              <input type="file" name="image" accept="image/*" required />
            </label>
            <button className="button" type="submit">
              <UploadIcon />
              Send
            </button>
          </form>
          {refusal !== null && (
            <p className="field-error" role="alert">
              <WarningIcon />
              {refusal}
            </p>
          )}
          {picture.text !== "" && (
            <Form method="post" preventScrollReset>
              <IntentButton intent="remove-picture" label="Draw the poster instead" />
            </Form>
          )}
          <SourceNote {...picture} label="Picture" />
        </div>
      </div>
    </section>
  );
}
