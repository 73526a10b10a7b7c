import type { ReactNode } from "react";
import { Form, redirect } from "react-router";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { getProfile, moveFavorite } from "#app/domain/accounts/accounts.server.ts";
import { genders, isMinor, isOwner } from "#app/domain/accounts/accounts.ts";
import { listTasteChoices, listTitlePicks } from "#app/domain/discovery/discovery.server.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { getCurrentUser, grownUpPage } from "#app/http/guards/guard.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { profileEditPath, profilePath, signInPath, withQuery } from "#app/paths.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { PersonFields } from "#app/ui/profile/person-fields.tsx";
import { PictureForm } from "#app/ui/profile/picture-form.tsx";
import { TasteFields, TitlePicks } from "#app/ui/profile/taste-fields.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import {
  listQuestions,
  maxProfileFormBytes,
  type ProfilePart,
  profileForm,
  profileParts,
  saveTastes,
  searchIn,
  studioSearchOf,
  toPerson,
} from "#app/wire/forms/profile-form.server.ts";
import type { Route } from "./+types/edit";

export const middleware: Route.MiddlewareFunction[] = [
  limited("user", { on: "writes" }),
  sameOriginPage,
  grownUpPage,
];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Edit profile", description: "Your pictures, name and tastes." });

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const profile = await getProfile(user.id);
  if (!profile.ok) throw redirect(signInPath());
  const { name, lastName, birthday, gender, avatarUrl, bannerImage } = profile.value;
  const viewer = viewerOf(user);
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
    titles: await listTitlePicks(viewer, profile.value, { search: studioSearchOf(url), withPopular: false }),
    choices: { ...listTasteChoices(viewer, profile.value), questions: listQuestions(profile.value) },
    saved: profileParts.find((part) => part === url.searchParams.get("saved")) ?? null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(profileForm, request, { limit: maxProfileFormBytes });
  if (!form.ok) return formErrorResponse(form);
  const { part, move } = form.value;
  const user = getCurrentUser(context);
  const outcome = await saveTastes(user.id, form.value, toPerson(form.value));
  if (outcome.ok && move !== undefined) await moveFavorite(user.id, move, viewerOf(user));
  const q = searchIn(form.value);
  if (outcome.ok)
    throw redirect(`${withQuery(profileEditPath(), q === null ? { saved: part } : { q })}#${part}`);
  const { name, last_name, birthday } = form.value;
  return formErrorResponse(outcome, {
    part,
    ...(part === "person" && { name: name ?? "", last_name: last_name ?? "", birthday: birthday ?? "" }),
  });
}

const sectionTitles: Record<"pictures" | ProfilePart, string> = {
  pictures: "Pictures",
  person: "About me",
  favorites: "Favorites",
  tastes: "Tastes",
};

export default function EditProfile({ loaderData: page, actionData }: Route.ComponentProps) {
  const formErrors = errorsByField(actionData);
  const errorAt = formErrors.typed("part") ?? "pictures";
  const answerAt = (section: keyof typeof sectionTitles) => (
    <>
      {actionData && errorAt === section && <ErrorSummary message={formErrors.message} answer={actionData} />}
      {!actionData && page.saved === section && <Notice>Saved.</Notice>}
    </>
  );
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
        {answerAt("pictures")}
        <PictureForm kind="avatar" current={page.avatar} name={page.person.name} />
        <PictureForm kind="banner" current={page.banner} name={page.person.name} />
      </Section>
      <PartForm part="person" answer={answerAt("person")}>
        <PersonFields
          person={page.person}
          genders={page.genders}
          formErrors={formErrors}
          today={page.today}
        />
      </PartForm>
      <PartForm part="favorites" answer={answerAt("favorites")}>
        <TitlePicks key={page.titles.search} {...page.titles} isOrdered />
        {page.titles.picks.length === 0 && (
          <p className="quiet">None yet. Search for a title, or press the heart on its page.</p>
        )}
      </PartForm>
      <PartForm part="tastes" answer={answerAt("tastes")}>
        <TasteFields {...page.choices} />
      </PartForm>
    </div>
  );
}

const Section = ({ id, children }: { id: keyof typeof sectionTitles; children: ReactNode }) => (
  <section className="settings-section" aria-labelledby={id}>
    <h2 id={id}>{sectionTitles[id]}</h2>
    {children}
  </section>
);

type PartProps = { part: ProfilePart; answer: ReactNode; children: ReactNode };

/** Each section is saved alone. Its fragment makes a browser without scripts scroll to the answer. */
const PartForm = ({ part, answer, children }: PartProps) => (
  <Section id={part}>
    <Form method="post" action={`${profileEditPath()}#${part}`} className="stack" preventScrollReset>
      <input type="hidden" name="part" value={part} />
      {children}
      {answer}
      <button className="button settings-save" type="submit">
        Save
      </button>
    </Form>
  </Section>
);
