import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Tree = { [name: string]: Tree | string | string[] };

/** Parses the subset of YAML that the file uses: maps by indentation, lists of texts, texts, comments. */
function parse(text: string): Tree {
  const root: Tree = {};
  const open: { indent: number; tree: Tree; name: string }[] = [{ indent: -1, tree: root, name: "" }];
  for (const line of text.split("\n")) {
    const [, spaces = "", rest = ""] = /^(\s*)(.*)$/.exec(line) ?? [];
    if (rest === "" || rest.startsWith("#")) continue;
    while (spaces.length <= (open.at(-1)?.indent ?? -1)) open.pop();
    const parent = open.at(-1);
    if (!parent) throw new Error(`wrong indentation: ${line}`);
    if (parent.name !== "" && !rest.startsWith("- ")) parent.tree[parent.name] ||= {};
    const holder = parent.name === "" ? parent.tree : (parent.tree[parent.name] as Tree);
    const unquoted = (value: string) => value.replace(/^"(.*)"$/, "$1");
    if (rest.startsWith("- ")) {
      const list = Array.isArray(parent.tree[parent.name]) ? (parent.tree[parent.name] as string[]) : [];
      parent.tree[parent.name] = [...list, unquoted(rest.slice(2))];
      continue;
    }
    const [, name = "", value = ""] = /^([\w.-]+):(?: (.*))?$/.exec(rest) ?? [];
    if (name === "") throw new Error(`no part of a compose file: ${line}`);
    if (value !== "") holder[name] = unquoted(value);
    else open.push({ indent: spaces.length, tree: holder, name });
  }
  return root;
}

test("the compose file has one service with two mounts, its port, ids to choose, and no secret to invent", () => {
  const text = readFileSync("ops/compose.yaml", "utf8");
  expect(parse(text)).toEqual({
    services: {
      engawa: {
        build: "{ context: .., dockerfile: ops/Dockerfile }",
        image: "engawa",
        environment: { PUID: "1000", PGID: "1000", TZ: "Etc/UTC" },
        ports: ["3000:3000"],
        volumes: ["./data:/data", "/path/to/films:/media:ro"],
        stop_grace_period: "20s",
        restart: "unless-stopped",
      },
    },
  });
  // compose would ask the operator for the value of such a variable.
  expect(text).not.toContain("${");
});
