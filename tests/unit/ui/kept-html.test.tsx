import { expect, test } from "vitest";
import { keptHtml } from "#app/ui/kept-html.ts";

let rendered = 0;
function Part({ data }: { data: { name: string } }) {
  rendered++;
  return (
    <>
      <b>{data.name}</b> and {2} more
    </>
  );
}

test("the HTML of a part is made when it is shown for the second time, and once for each form", () => {
  const data = { name: "A & B" };
  const part = <Part data={data} />;
  expect(keptHtml(data, "member", part)).toBeUndefined();
  expect(rendered).toBe(0);
  const html = "<b>A &amp; B</b> and <!-- -->2<!-- --> more";
  expect([keptHtml(data, "member", part), keptHtml(data, "member", part)]).toEqual([html, html]);
  expect(rendered).toBe(1);
  expect(keptHtml(data, "visitor", part)).toBeUndefined();
  expect(keptHtml({ ...data }, "member", part)).toBeUndefined();
});
