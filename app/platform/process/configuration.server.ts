import { type Variable, type VariableName, variables } from "./env.server.ts";

/** The declared variables as people read them: on a terminal, in `.env.example`, in the docs. */

type Setting = {
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
  return lines.join("\n");
}

export function environmentExample(): string {
  const entries = declared.map(
    ([name, variable]) => `# ${variable.meaning}\n# ${name}=${variable.default ?? ""}\n`,
  );
  return `# Copy to .env and take the leading # away where you want something else. The shell wins over this file.\n# npm run config shows what is in use.\n\n${entries.join("\n")}`;
}

const tableStart = "<!-- made by npm run config -- --write -->";
const tableEnd = "<!-- end of what is made -->";

/** The page with its table brought up to date; what stands around the table is somebody's own words. */
export function withTable(page: string): string {
  const rows = declared.map(([name, variable]) => [
    `\`${name}\``,
    variable.default ? `\`${variable.default}\`` : "unset",
    variable.meaning.replaceAll("|", "\\|") + (variable.secret ? " (secret)" : ""),
  ]);
  const table = alignedTable([["Variable", "Default", "Meaning"], ...rows]);
  const [before] = page.split(tableStart);
  const [, after = ""] = page.split(tableEnd);
  return `${before}${tableStart}\n\n${table}\n\n${tableEnd}${after}`;
}

function alignedTable([head = [], ...rows]: string[][]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
