import { Form } from "react-router";
import type { SignUpMode } from "#app/domain/joining/joining.server.ts";
import {
  homePath,
  listImportPath,
  profileEditPath,
  setupPath,
  signInPath,
  signUpPath,
  visitorPath,
} from "#app/paths.ts";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";
import { Link } from "#app/ui/link.tsx";
import { useSiteData } from "#app/ui/shell/site.ts";

const joinTexts: Record<SignUpMode, string> = {
  open: "Anybody can join.",
  code: "To join, you need the code of this site.",
  invite: "New members join by an invitation of this site.",
  closed: "The operator of this site adds its members.",
};

/** Tells a visitor what this place is and how to join. It must not tell which films are here. */
export function VisitorWelcome({ join, isNewSite }: { join: SignUpMode; isNewSite: boolean }) {
  const { operator } = useSiteData();
  const canJoin = join === "open" || join === "code";
  return (
    <section className="wrap home-welcome">
      <h1>{operator?.name ?? "Engawa"}</h1>
      <p className="lead">
        A place to find anime, to keep a list of what you watch, and to watch it. {joinTexts[join]}
      </p>
      {isNewSite && (
        <p className="home-welcome-actions">
          This site is new and has no operator yet.
          <Link className="button" data-kind="primary" to={setupPath()}>
            Set up this site
          </Link>
        </p>
      )}
      <div className="home-welcome-actions">
        {canJoin && (
          <Link className="button" data-kind={isNewSite ? "ghost" : "primary"} to={signUpPath()}>
            Join
          </Link>
        )}
        <Link className="button" data-kind={canJoin ? "ghost" : "primary"} to={signInPath()}>
          Sign in
        </Link>
      </div>
      <RomajiOffer />
    </section>
  );
}

/** For a member without a list. A member who has said what they like is not asked for it again. */
export const MemberWelcome = ({ hasTastes }: { hasTastes: boolean }) => (
  <section className="home-welcome" aria-labelledby="bring">
    <h2 id="bring">Bring your list</h2>
    <p className="lead">
      From MyAnimeList, AniList or another Engawa. Your list then knows where you stopped, and this page shows
      what you can go on with.
    </p>
    <div className="home-welcome-actions">
      <Link className="button" data-kind="primary" to={listImportPath()}>
        Import a list
      </Link>
      {!hasTastes && (
        <Link className="button" data-kind="ghost" to={`${profileEditPath()}#tastes`}>
          Say what you like
        </Link>
      )}
    </div>
    <RomajiOffer />
  </section>
);

/** Shown until the reader has chosen a title language. */
function RomajiOffer() {
  const { chosenTitleLanguage, preferences } = useSiteData();
  if (chosenTitleLanguage !== "browser" || preferences.titleLanguage !== "english") return null;
  return (
    <Form className="home-welcome-language" method="post" action={visitorPath()} preventScrollReset>
      <input type="hidden" name="redirectTo" value={homePath()} />
      <span className="quiet">Titles are in English.</span>
      <VanishingButton className="link" name="titleLanguage" value="romaji">
        Show them in Romaji, like “Sousou no Frieren”
      </VanishingButton>
    </Form>
  );
}
