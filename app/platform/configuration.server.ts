import { type Variable, type VariableName, variables } from "./env.server.ts";

/** The declared variables as people read them: on a terminal, in `.env.example`, in the docs. */

export type Setting = {
  name: VariableName;
  meaning: string;
  default: string | null;
  value: string | null;
  from: "shell" | ".env" | "default";
};

const declared = Object.entries(variables) as [VariableName, Variable][];

/** Every variable with the value in use; a secret shows only that it is set. */
export const listSettings = (
  values: Record<string, string | undefined>,
  setByShell: ReadonlySet<string>,
): Setting[] =>
  declared.map(([name, variable]) => {
    const value = values[name] || undefined;
    const standard = variable.default || null;
    return {
      name,
      meaning: variable.meaning,
      default: standard,
      value: value === undefined ? standard : variable.secret ? "(set, not shown)" : value,
      from: value === undefined ? "default" : setByShell.has(name) ? "shell" : ".env",
    };
  });

export function settingsText(settings: Setting[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, meaning, value, from, default: standard }) => {
    const origin = from === "default" ? "default" : `${from}; default ${standard ?? "unset"}`;
    return `${name.padEnd(width)}  ${value ?? "unset"}  (${origin})\n${" ".repeat(width + 2)}${meaning}`;
  });
  return `${lines.join("\n")}\n`;
}

export function environmentExample(): string {
  const entries = declared.map(
    ([name, variable]) => `# ${variable.meaning}\n# ${name}=${variable.default ?? ""}\n`,
  );
  return `# Copy to .env and take the leading # away where you want something else. The shell wins over this file.\n# npm run config shows what is in use.\n\n${entries.join("\n")}`;
}

const tableStart = "<!-- made by npm run config -- --write -->";
const tableEnd = "<!-- end of what is made -->";
const cell = (text: string) => text.replaceAll("|", "\\|");

/** The page with its table brought up to date; what stands around the table is somebody's own words. */
export function withTable(page: string): string {
  const rows = declared.map(
    ([name, variable]) =>
      `| \`${name}\` | ${variable.default ? `\`${cell(variable.default)}\`` : "unset"} | ${cell(variable.meaning)}${variable.secret ? " (secret)" : ""} |`,
  );
  const table = ["| Variable | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
  const [before] = page.split(tableStart);
  const [, after = ""] = page.split(tableEnd);
  return `${before}${tableStart}\n\n${table}\n\n${tableEnd}${after}`;
}
