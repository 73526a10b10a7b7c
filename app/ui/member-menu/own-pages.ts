import {
  adminPath,
  historyPath,
  listPath,
  profilePath,
  profilesPath,
  settingsPath,
  wishesPath,
} from "#app/paths.ts";

type Facts = { isOperator: boolean; isOneOfSeveral: boolean; makesWishes: boolean };

/** The member's own pages. The menu at the avatar lists all of them, and My page links to the rest. */
export const ownPages = ({
  isOperator,
  isOneOfSeveral,
  makesWishes,
}: Facts): [path: string, label: string][] => [
  [profilePath(), "My page"],
  [listPath(), "My list"],
  [historyPath(), "History"],
  ...(makesWishes ? [[wishesPath(), "Wishes"] satisfies [string, string]] : []),
  [settingsPath(), "Settings"],
  ...(isOneOfSeveral ? [[profilesPath(), "Switch profile"] satisfies [string, string]] : []),
  ...(isOperator ? [[adminPath(), "Administration"] satisfies [string, string]] : []),
];
