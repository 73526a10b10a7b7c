import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useLocation, useNavigation, useNavigationType, useRouteError } from "react-router";
import {
  browsePath,
  homePath,
  listPath,
  randomPath,
  resetPath,
  schedulePath,
  searchPath,
  seasonsPath,
  signInPath,
  signUpPath,
  verifyPath,
} from "#app/paths.ts";
import { useArrowMode } from "../arrow-keys/arrow-mode.ts";
import { focusHeading } from "../forms/focus-passed-on.ts";
import {
  BookmarkIcon,
  BrowseIcon,
  CalendarIcon,
  HomeIcon,
  Logo,
  SearchIcon,
  ShuffleIcon,
} from "../icons/icons.tsx";
import { late } from "../late.tsx";
import { Link } from "../link.tsx";
import { Footer } from "./footer.tsx";
import { SearchBox } from "./search-box.tsx";
import { useSiteData } from "./site.ts";

/** Loaded only for members. */
const MemberCorner = late(() => import("../member-menu/member-corner.tsx").then((part) => part.MemberCorner));

/** Loaded only on large screens without a mouse. */
const ArrowOffer = late(() => import("../arrow-keys/arrow-offer.tsx").then((part) => part.ArrowOffer));

/** The header, navigation and footer around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const { isClosed } = useSiteData();
  const arrowOffer = useArrowMode();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <NavigationProgress />
      {isClosed ? <ClosedBar /> : <TopBar />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {!isClosed && <Footer />}
      {!isClosed && <BottomBar />}
      <PageAnnouncer />
      {arrowOffer && (
        <Suspense>
          <ArrowOffer takesFocus={arrowOffer === "asked"} />
        </Suspense>
      )}
    </>
  );
}

/** The header of a closed site, where visitors can open only the pages for signing in. */
function ClosedBar() {
  return (
    <header className="bar">
      <div className="wrap bar-inner">
        <Link className="brand" to={signInPath()} aria-label="Engawa, sign in">
          <Logo />
          Engawa
        </Link>
      </div>
    </header>
  );
}

function TopBar() {
  const { user, seasonPath } = useSiteData();
  const isChild = user?.isChild === true;
  return (
    <header className="bar">
      <div className="wrap bar-inner">
        <Link className="brand" to={homePath()} aria-label="Engawa, home">
          <Logo />
          Engawa
        </Link>
        <nav className="bar-nav" aria-label="Main">
          <NavLink to={browsePath()}>Browse</NavLink>
          {!isChild && (
            <>
              <NavLink to={seasonPath}>Seasons</NavLink>
              <NavLink to={schedulePath()}>Schedule</NavLink>
              <Link to={randomPath()} rel="nofollow">
                Random
              </Link>
            </>
          )}
        </nav>
        <SearchBox />
        <div className="bar-me">
          {!isChild && (
            <Link className="icon-button only-narrow" to={randomPath()} rel="nofollow">
              <ShuffleIcon />
              <span className="visually-hidden">Random title</span>
            </Link>
          )}
          <NavLink className="icon-button only-wide" to={listPath()}>
            <BookmarkIcon />
            <span className="visually-hidden">My list</span>
          </NavLink>
          {user === null ? (
            <SignInLink />
          ) : (
            <Suspense>
              <MemberCorner user={user} />
            </Suspense>
          )}
        </div>
      </div>
    </header>
  );
}

type NavLinkProps = { to: string; also?: string; className?: string; children: ReactNode };

/** Smaller than React Router's NavLink, which would be loaded with every page. `also`: a second page it stands for. */
function NavLink({ to, also = to, className, children }: NavLinkProps) {
  const { pathname } = useLocation();
  // React Router returns null where no route has failed.
  const isFailed = useRouteError() != null;
  const isIn = (path: string) => pathname.startsWith(`/${path.split("/")[1]}`);
  const isHere = to === homePath() ? pathname === to : isIn(to) || isIn(also);
  return (
    <Link to={to} className={className} aria-current={isHere && !isFailed ? "page" : undefined}>
      {children}
    </Link>
  );
}

function SignInLink() {
  const { pathname, search } = useLocation();
  const isUselessTarget =
    pathname === homePath() ||
    [signInPath(), signUpPath(), resetPath(), verifyPath()].some((path) => pathname.startsWith(path));
  return (
    <Link
      className="button"
      data-size="small"
      to={signInPath(isUselessTarget ? {} : { redirectTo: pathname + search })}
    >
      Sign in
    </Link>
  );
}

function BottomBar() {
  const { user } = useSiteData();
  return (
    <nav className="tabs" aria-label="Main">
      <NavLink to={homePath()}>
        <HomeIcon />
        Home
      </NavLink>
      <NavLink to={browsePath()}>
        <BrowseIcon />
        Browse
      </NavLink>
      <NavLink to={searchPath()}>
        <SearchIcon />
        Search
      </NavLink>
      {!user?.isChild && (
        <NavLink to={schedulePath()} also={seasonsPath()}>
          <CalendarIcon />
          Schedule
        </NavLink>
      )}
      <NavLink to={listPath()}>
        <BookmarkIcon />
        My list
      </NavLink>
    </nav>
  );
}

function NavigationProgress() {
  const isBusy = useNavigation().state !== "idle";
  return <div className="nav-progress" data-busy={isBusy || undefined} />;
}

/**
 * On a new path, focuses the heading and announces the title. A changed query, such as a filter, keeps the focus. A
 * replaced history entry also keeps the focus: it is the answer to a form of the same page, and an error in it takes
 * the focus itself.
 */
function PageAnnouncer() {
  const { pathname } = useLocation();
  const isReplaced = useNavigationType() === "REPLACE";
  const [announcement, setAnnouncement] = useState("");
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (isReplaced) return;
    setAnnouncement(document.title);
    focusHeading();
  }, [pathname, isReplaced]);
  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}
