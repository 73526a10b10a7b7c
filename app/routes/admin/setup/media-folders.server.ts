import { listRootStates, mayChooseRoots, type RootState } from "#app/domain/films/films.server.ts";
import { browseFilmFolders, listChosenFolders } from "#app/domain/setup/setup.server.ts";
import { isRecentSignIn } from "#app/domain/sign-in/sign-in.server.ts";
import { countText } from "#app/platform/count-text.ts";
import { env } from "#app/platform/process/env.server.ts";

export const maxPathLength = 4000;

type Session = { signedInAt: Date };

export type MediaFoldersView = Awaited<ReturnType<typeof viewMediaFolders>>;

/** `at`: the folder whose subfolders are listed, or null for the places where an operator may look. */
export async function viewMediaFolders(at: string | null, session: Session) {
  const [states, chosen] = await Promise.all([listRootStates({ isCounted: true }), listChosenFolders()]);
  const shown = states.map((root) => ({
    number: root.number,
    folder: root.folder,
    text: root.trouble ?? filmsText(root.films),
    isTrouble: root.trouble !== null,
  }));
  const unused = chosen.filter(({ number }) => !states.some((root) => root.number === number));
  if (!mayChooseRoots()) return { folders: shown, choice: null, fixedText: fixedText() };
  return {
    folders: [
      ...shown,
      ...unused.map((root) => ({
        ...root,
        text: "It is not used, because it cannot be chosen any more.",
        isTrouble: true,
      })),
    ],
    choice: await viewChoice(at, session),
    fixedText: null,
  };
}

async function viewChoice(at: string | null, session: Session) {
  const browsed = await browseFilmFolders(at?.slice(0, maxPathLength) || null, session);
  return {
    browsed: browsed.ok ? browsed.value : null,
    refusal: browsed.ok ? null : (browsed.message ?? "This folder cannot be opened."),
    isOldSignIn: !isRecentSignIn(session.signedInAt),
  };
}

/** Says why folders cannot be chosen on the page, and how to set them. */
function fixedText() {
  const container =
    "In a container, leave MEDIA_DIR as it is and mount the folder at /media: compose.yaml names it in the line that ends with :/media:ro.";
  if (env.MEDIA_DIR !== undefined)
    return `The variable MEDIA_DIR decides this. To use another folder, change it and start the site again. ${container}`;
  return `This site uses a PostgreSQL server (DATABASE_URL), so folders cannot be chosen here. Set the variable MEDIA_DIR to the folder and start the site again. ${container}`;
}

function filmsText(films: RootState["films"]) {
  if (films === null) return "It can be read, and is so large that counting its videos takes a while.";
  if (films === 0) return "There is no video in it. Is it the right folder?";
  return countText(films, "video");
}
