import { Form } from "react-router";
import { adminSetupPath } from "#app/admin-paths.ts";
import { RightIcon } from "#app/ui/icons/icons.tsx";
import { Link, LinkLine } from "#app/ui/link.tsx";
import { RowButton } from "../intent-button.tsx";
import type { MediaFoldersView } from "./media-folders.server.ts";

/** The step that shows the media folders. Where operators may choose one, it lists folders by name, and no files. */

export function MediaFolders({ folders, choice, fixedText }: MediaFoldersView) {
  return (
    <>
      {folders.length > 0 && (
        <section aria-labelledby="chosen">
          <h2 id="chosen">{folders.length === 1 ? "Your media folder" : "Your media folders"}</h2>
          <ul className="admin-rows">
            {folders.map(({ number, folder, text, isTrouble }) => (
              <li key={folder}>
                <p>
                  <bdi className="admin-address">{folder}</bdi>
                  <span className={isTrouble ? "admin-warning" : "quiet"}>{text}</span>
                </p>
                {choice !== null && (
                  <RowButton fields={{ number }} intent="remove" label="Remove" about={folder} />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {fixedText !== null && <p>{fixedText}</p>}
      {choice !== null && (
        <section aria-labelledby="choose">
          <h2 id="choose">{folders.length === 0 ? "Where are your videos?" : "Add another folder"}</h2>
          <Choice {...choice} />
        </section>
      )}
    </>
  );
}

function Choice({ refusal, isOldSignIn, browsed }: NonNullable<MediaFoldersView["choice"]>) {
  return (
    <>
      {refusal !== null && <p className="admin-warning">{refusal}</p>}
      {isOldSignIn && (
        <Form method="post">
          <button className="button" type="submit" name="intent" value="sign-in-again">
            Sign in again
          </button>
        </Form>
      )}
      {browsed === null && !isOldSignIn && <LinkLine to={adminSetupPath()}>All places</LinkLine>}
      {browsed !== null && <Browsed {...browsed} />}
    </>
  );
}

type BrowsedProps = NonNullable<NonNullable<MediaFoldersView["choice"]>["browsed"]>;

function Browsed({ path, above, isChoosable, folders, isTruncated }: BrowsedProps) {
  return (
    <>
      <ul className="admin-rows">
        {path !== null && (
          <li>
            <p>
              <bdi className="admin-address">{path}</bdi>
              <Link
                className="link"
                to={adminSetupPath(above === null ? {} : { at: above })}
                preventScrollReset
              >
                Up
              </Link>
            </p>
            {isChoosable && (
              <RowButton fields={{ folder: path }} intent="choose" label="Choose this folder" about={path} />
            )}
          </li>
        )}
        {folders.map((folder) => (
          <li key={folder.path}>
            <Link className="link" to={adminSetupPath({ at: folder.path })} preventScrollReset>
              <bdi className="admin-address">{folder.name}</bdi>
              <RightIcon />
            </Link>
            {folder.isChoosable && (
              <RowButton
                fields={{ folder: folder.path }}
                intent="choose"
                label="Choose"
                about={folder.path}
              />
            )}
          </li>
        ))}
      </ul>
      {path === null && (
        <p className="quiet">
          Is your folder somewhere else? Set the variable MEDIA_BROWSE to it, and start the site again. Then
          it is in this list.
        </p>
      )}
      {folders.length === 0 && <p className="quiet">No other folders in here.</p>}
      {isTruncated && <p className="quiet">{`Only the first ${folders.length} are shown.`}</p>}
    </>
  );
}
