import type { FocusEvent, MouseEvent } from "react";
import { profilePath, profilesPath, signOutApiPath } from "#app/paths.ts";
import { PeopleIcon } from "../icons/icons.tsx";
import { Link } from "../link.tsx";
import type { SiteData } from "../shell/site.ts";

type Member = NonNullable<SiteData["user"]>;

/**
 * The avatar with its menu, which members get instead of "Sign in". Phones, and browsers without popovers, show a link
 * instead of the menu.
 */
export function MemberCorner({ user }: { user: Member }) {
  return (
    <>
      {user.isOneOfSeveral && (
        <Link className="icon-button" to={profilesPath()}>
          <PeopleIcon />
          <span className="visually-hidden">Switch profile</span>
        </Link>
      )}
      <Link className="icon-button avatar-link" to={profilePath()}>
        <Avatar {...user} />
        <span className="visually-hidden">{user.name}, profile</span>
      </Link>
      <button type="button" className="icon-button avatar-open" popoverTarget={menuId}>
        <Avatar {...user} />
        <span className="visually-hidden">{user.name}, menu</span>
      </button>
      <nav id={menuId} className="member-menu" popover="auto" aria-label="Account" onBlur={closeLeft}>
        <p>{user.name}</p>
        {user.pages.map(([path, label]) => (
          <Link key={path} to={path} onClick={close}>
            {label}
          </Link>
        ))}
        {!user.isChild && (
          // A plain form loads a new page, so that no data of this member stays in the open one.
          <form method="post" action={signOutApiPath()}>
            <button type="submit">Sign out</button>
          </form>
        )}
      </nav>
    </>
  );
}

const menuId = "own-pages";

const Avatar = ({ name, avatar }: Member) => (
  <span className="avatar">
    {avatar === null ? (
      <span aria-hidden="true">{[...name][0]?.toUpperCase()}</span>
    ) : (
      <img src={avatar} width={34} height={34} alt="" />
    )}
  </span>
);

/**
 * Closes the menu after a link. The browser keeps it open, because the router changes the page without loading a new
 * document.
 */
const close = ({ currentTarget }: MouseEvent) =>
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();

/**
 * Closes the menu when the focus leaves it, because the menu may cover the focused element. The menu's own button
 * closes it without this.
 */
const closeLeft = ({ currentTarget: menu, relatedTarget: next }: FocusEvent<HTMLElement>) => {
  if (next && !menu.contains(next) && !next.closest("[popovertarget]")) menu.hidePopover();
};
