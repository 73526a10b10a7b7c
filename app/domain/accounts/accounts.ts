/** Who is signed in, as every guard and page sees them. */
export type SessionUser = {
  id: string;
  email: string;
  name: string;
  avatar: string | null;
  role: "member" | "operator";
  /** ISO date, or null when not told. */
  birthday: string | null;
  preferences: Preferences;
};

export type Preferences = {
  enfasiscolor: string;
  parentalControl: boolean;
  trackSearchHistory: boolean;
  /** IANA name; null: Japan time until the browser tells. */
  timeZone: string | null;
  titleLanguage: "romaji" | "english" | "native";
};

export const defaultPreferences: Preferences = {
  enfasiscolor: "#0057E7",
  parentalControl: true,
  trackSearchHistory: true,
  timeZone: null,
  titleLanguage: "romaji",
};

const adultAge = 18;

/** A birthday that is not known does not make a child; one that is known decides. */
export function isMinor(birthday: string | null, now = new Date()) {
  if (birthday === null) return false;
  const [year = 0, month = 1, day = 1] = birthday.split("-").map(Number);
  return now.getTime() < Date.UTC(year + adultAge, month - 1, day);
}

/** The stored preference wins over what is asked, and age over both. */
export const mayShowMature = (user: Pick<SessionUser, "birthday" | "preferences">) =>
  !user.preferences.parentalControl && !isMinor(user.birthday);
