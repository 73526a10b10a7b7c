import type { ReactNode } from "react";
import { Form, redirect, useNavigation } from "react-router";
import { getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { titleLanguageFor, viewerOf } from "#app/access/viewer.server.ts";
import { isMinor, isOwner } from "#app/domain/accounts/accounts.ts";
import { listTasteChoices, listTitlePicks } from "#app/domain/discovery/discovery.server.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import { getProfile, moveFavorite } from "#app/domain/profile/profile.server.ts";
import { genders } from "#app/domain/profile/profile.ts";
import { formErrorResponse, readPageForm, typedTexts } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { profileEditPath, profilePath, signInPath } from "#app/paths.ts";
import { toTitlePicks } from "#app/routes/views/title-views.server.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { keepText } from "#app/ui/forms/kept-text.ts";
import { Link } from "#app/ui/link.tsx";
import { NameField, OptionalFields } from "#app/ui/profile/person-fields.tsx";
import { PictureForm } from "#app/ui/profile/picture-form.tsx";
import { TasteFields, TitlePicks } from "#app/ui/profile/taste-fields.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import {
  favoritesPageOf,
  listQuestions,
  maxProfileFormBytes,
  profileForm,
  removesFavorites,
  saveTastes,
  searchIn,
  studioSearchOf,
  toPerson,
} from "#app/wire/forms/profile-form.server.ts";
import type { Route } from "./+types/edit";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Edit profile", description: "Your pictures, name and tastes." });

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const profile = await getProfile(user.id);
  if (!profile.ok) throw redirect(signInPath());
  const { name, lastName, birthday, gender, avatarUrl, bannerImage } = profile.value;
  const viewer = viewerOf(user);
  const language = titleLanguageFor(request, user.preferences);
  return {
    person: {
      name,
      lastName,
      birthday,
      isBirthdayLocked: isMinor(birthday),
      gender,
      isNameOnly: !isOwner(user),
    },
    avatar: proxiedPictureUrl(avatarUrl, 512),
    banner: proxiedPictureUrl(bannerImage, 1080),
    genders,
    today: new Date().toISOString().slice(0, 10),
    titles: toTitlePicks(
      await listTitlePicks(viewer, profile.value, {
        search: studioSearchOf(url),
        page: favoritesPageOf(url),
        withPopular: false,
      }),
      language,
    ),
    choices: { ...listTasteChoices(viewer, profile.value), questions: listQuestions(profile.value) },
    isSaved: url.searchParams.has("saved"),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(profileForm, request, { limit: maxProfileFormBytes });
  if (!form.ok) return formErrorResponse(form);
  const { move, favorites } = form.value;
  const user = getCurrentUser(context);
  const outcome = await saveTastes(user.id, form.value, toPerson(form.value));
  const movedTo = outcome.ok && move !== undefined ? await moveFavorite(user.id, move, viewerOf(user)) : null;
  const q = searchIn(form.value);
  if (outcome.ok) {
    const isAtFavorites = q !== null || move !== undefined || favorites !== undefined;
    const page = favoritesPageOf(url);
    const nextPage = favorites && removesFavorites(form.value) ? Math.min(favorites, page) : favorites;
    const path = profileEditPath({
      ...(q === null ? { saved: "1" } : { q }),
      favorites: nextPage ?? movedTo ?? page,
    });
    throw redirect(`${path}#${isAtFavorites ? "favorites" : saveBarId}`);
  }
  return formErrorResponse(outcome, typedTexts(form.value));
}

export const clientAction = (args: Route.ClientActionArgs) => keepText(args);

/** The fragment of the button that saves, and of the answer beside it. */
const saveBarId = "save";

const sectionTitles = {
  pictures: "Pictures",
  person: "About me",
  favorites: "Favorites",
  tastes: "Tastes",
};

export default function EditProfile({ loaderData: page, actionData }: Route.ComponentProps) {
  const formErrors = errorsByField(actionData);
  const isSaving = useNavigation().formMethod === "POST";
  return (
    <div className="wrap page settings">
      <h1>Edit profile</h1>
      <nav className="settings-contents" aria-label="Sections">
        {Object.entries(sectionTitles).map(([id, title]) => (
          <a key={id} className="link" href={`#${id}`}>
            {title}
          </a>
        ))}
        <Link className="link" to={profilePath()}>
          Back to My page
        </Link>
      </nav>
      <Section id="pictures">
        <PictureForm kind="avatar" current={page.avatar} name={page.person.name} />
        <PictureForm kind="banner" current={page.banner} name={page.person.name} />
      </Section>
      <Form
        method="post"
        action={`${profileEditPath({ favorites: page.titles.page })}#${saveBarId}`}
        className="profile-form"
        preventScrollReset
        // Each answer has a fragment, so the router would take it for another page, and Back would lead here again.
        replace
      >
        <Section id="person">
          <NameField person={page.person} formErrors={formErrors} />
          {!page.person.isNameOnly && (
            <OptionalFields
              person={page.person}
              genders={page.genders}
              formErrors={formErrors}
              today={page.today}
            />
          )}
        </Section>
        <Section id="favorites">
          <TitlePicks
            key={`${page.titles.page} ${page.titles.search}`}
            {...page.titles}
            isOrdered
            typed={formErrors.typed}
          />
          {page.titles.picks.length === 0 && (
            <p className="quiet">None yet. Search for a title, or press the heart on its page.</p>
          )}
        </Section>
        <Section id="tastes">
          <TasteFields {...page.choices} typed={formErrors.typed} />
        </Section>
        <div className="profile-save" id={saveBarId}>
          <button className="button" data-kind="primary" type="submit">
            Save
          </button>
          {actionData && <ErrorSummary message={formErrors.message} answer={actionData} />}
          {/* Taken away while the form is sent: a screen reader reads it again only if it comes anew. */}
          {!actionData && page.isSaved && !isSaving && <Notice>Saved.</Notice>}
        </div>
      </Form>
    </div>
  );
}

const Section = ({ id, children }: { id: keyof typeof sectionTitles; children: ReactNode }) => (
  <section className="settings-section" aria-labelledby={id}>
    <h2 id={id}>{sectionTitles[id]}</h2>
    <div className="stack">{children}</div>
  </section>
);
