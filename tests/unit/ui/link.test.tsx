import { renderToStaticMarkup } from "react-dom/server";
import { Link as RouterLink, StaticRouter } from "react-router";
import { expect, test } from "vitest";
import { Link } from "#app/ui/link.tsx";

const written = (One: typeof Link | typeof RouterLink, props: Parameters<typeof Link>[0]) =>
  renderToStaticMarkup(
    <StaticRouter location="/anime/5/name?page=2">
      <One {...props}>words</One>
    </StaticRouter>,
  );

const attributesOf = (markup: string) => markup.match(/ [\w-]+="[^"]*"/g)?.sort();

test("the server's link renders the same element as the router's link", () => {
  const targets = [
    ...[
      "/",
      "/browse",
      "/anime/5/na%C3%AFve-name",
      "/browse?genre=a%26b&page=2",
      "/anime/5#my-list",
      "/a/../b",
    ],
    ...[
      "/a//b",
      "//host.test/a",
      "/./a",
      "?page=3",
      "#here",
      "other",
      "../up",
      "https://host.test/a",
      "/a b",
      "",
    ],
  ];
  for (const to of targets) {
    const props = {
      to,
      className: "card",
      "aria-label": 'A "name"',
      replace: true,
      prefetch: "intent",
    } as const;
    expect(attributesOf(written(Link, props)), to).toEqual(attributesOf(written(RouterLink, props)));
  }
  expect(written(Link, { to: "/browse", discover: "none" })).toBe(
    written(RouterLink, { to: "/browse", discover: "none" }),
  );
});

test("on the server, only other kinds of targets are left to the router", () => {
  expect(renderToStaticMarkup(<Link to="/browse">words</Link>)).toContain('href="/browse"');
  expect(() => renderToStaticMarkup(<Link to="?page=2">words</Link>)).toThrow();
});
