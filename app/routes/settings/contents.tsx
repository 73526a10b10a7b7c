/** The sections of the settings in their order, and links to them. */

export const sectionTitles = {
  appearance: "Appearance",
  content: "Content",
  viewing: "Titles, times and scores",
  playback: "Playback",
  privacy: "Privacy",
  keys: "Keys",
  email: "E-mail address",
  password: "Password",
  sessions: "Where you are signed in",
  tokens: "Access tokens",
  household: "Household",
  activity: "Recent activity",
  account: "Your data",
} as const;

export type SectionId = keyof typeof sectionTitles;
const sectionIds = Object.keys(sectionTitles) as SectionId[];

const forChildren: readonly SectionId[] = ["appearance", "viewing", "playback", "keys"];
const forOwners: readonly SectionId[] = ["email", "password", "sessions", "activity"];

type Account = { hasPassword: boolean };

export const passwordTitle = ({ hasPassword }: Account) =>
  hasPassword ? sectionTitles.password : "Set a password";

/** `account` is null for all profiles but the owner's. */
type ContentsProps = { isChild: boolean; account: Account | null };

export const SettingsContents = ({ isChild, account }: ContentsProps) => (
  <nav className="settings-contents" aria-label="Sections">
    {sectionIds
      .filter((id) => (isChild ? forChildren.includes(id) : account !== null || !forOwners.includes(id)))
      .map((id) => (
        // Only scripts use keys.
        <a key={id} className={`link${id === "keys" ? " script-only" : ""}`} href={`#${id}`}>
          {id === "password" && account ? passwordTitle(account) : sectionTitles[id]}
        </a>
      ))}
  </nav>
);
