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

/** The pages of a member's own: the menu at the avatar shows them all, and My page the others. */
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
