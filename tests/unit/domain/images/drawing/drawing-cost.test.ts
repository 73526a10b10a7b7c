import { describe, expect, test } from "vitest";
import { isTooMuchWork, judgeDrawing } from "#app/domain/images/drawing/drawing-cost.ts";
import { CannotRender } from "#app/domain/images/render-job.ts";

const svg = (inside: string, start = "") =>
  `${start}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="500" height="500">${inside}</svg>`;
const pixels = 500 * 500;

function judge(text: string) {
  try {
    return isTooMuchWork(pixels, judgeDrawing(text).work) ? "too much work" : "fine";
  } catch (error) {
    if (error instanceof CannotRender) return error.failure;
    throw error;
  }
}

const repeat = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join("");
/** Each group uses the previous group ten times. */
const tower = (levels: number, attribute = "href") =>
  `<g id="a0"><path d="M0 0h9"/></g>${repeat(levels, (at) => `<g id="a${at + 1}">${`<use ${attribute}="#a${at}"/>`.repeat(10)}</g>`)}`;
const turbulence = (primitives: number) =>
  `<filter id="f">${'<feTurbulence baseFrequency=".1" numOctaves="9"/>'.repeat(primitives)}</filter>`;

describe("an ordinary drawing is accepted", () => {
  test.each([
    ["shapes", svg(repeat(2000, (at) => `<rect x="${at}" width="3" height="3" fill="#123"/>`))],
    [
      "a symbol that is used often",
      svg(`<symbol id="s"><path d="M0 0h9v9z"/></symbol>${'<use href="#s"/>'.repeat(500)}`),
    ],
    [
      "a gradient on a thousand shapes",
      svg(
        `<linearGradient id="g"><stop/><stop/></linearGradient><g fill="url(#g)">${'<circle r="4"/>'.repeat(1000)}</g>`,
      ),
    ],
    [
      "some shadows",
      svg(
        `<filter id="f"><feGaussianBlur stdDeviation="3"/><feOffset/><feMerge><feMergeNode/><feMergeNode/></feMerge></filter>${'<rect filter="url(#f)"/>'.repeat(20)}`,
      ),
    ],
    [
      "shadows by class",
      svg(
        `<style>.s { filter: url(#f) } rect { fill: red }</style><filter id="f"><feDropShadow/></filter>${'<rect class="s"/>'.repeat(20)}${"<rect/>".repeat(900)}`,
      ),
    ],
    [
      "the entities of a drawing program",
      svg(
        "<rect/>",
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>',
      ),
    ],
    ["an element that uses itself", svg('<g id="a"><use href="#a"/></g>')],
    ["the path of the file in an attribute", svg('<g inkscape:export-filename="C:\\a (1).png"/>')],
    ["a costly definition that nothing uses", svg(`<defs>${tower(8)}</defs><rect/>`)],
  ])("%s", (_name, text) => expect(judge(text)).toBe("fine"));
});

describe("a drawing that would cost too much is refused", () => {
  test.each([
    ["elements that use each other", svg(tower(6)), "too_complex"],
    ["… in the older spelling", svg(tower(6, "xlink:href")), "too_complex"],
    [
      "patterns in patterns, inherited",
      svg(
        `${repeat(9, (at) => `<pattern id="p${at + 1}">${`<rect fill="url(#p${at})"/>`.repeat(8)}</pattern>`)}<rect fill="url('#p9')"/>`,
      ),
      "too_complex",
    ],
    [
      "… named in capital letters",
      svg(
        `${repeat(9, (at) => `<pattern id="p${at + 1}">${`<rect fill="URL(#p${at})"/>`.repeat(8)}</pattern>`)}<rect fill="Url(#p9)"/>`,
      ),
      "too_complex",
    ],
    [
      "a marker at each point of a path",
      svg(
        `<marker id="m">${"<rect/>".repeat(200)}</marker><g style="marker-mid:url(#m)"><path d="${"M0 0".repeat(2000)}"/></g>`,
      ),
      "too_complex",
    ],
    ["a chain of uses", svg(repeat(5000, (at) => `<use id="u${at}" href="#u${at + 1}"/>`)), "too_complex"],
    ["deep groups", svg(`${"<g>".repeat(400)}${"</g>".repeat(400)}`), "too_complex"],
    ["60,000 elements", svg("<g/>".repeat(60_000)), "too_complex"],
    [
      "a line of ten thousand characters",
      svg(`<text>${"ab<tspan>c</tspan>".repeat(4000)}</text>`),
      "too_complex",
    ],
    ["a filter of many primitives", svg(`${turbulence(90)}<rect filter="url(#f)"/>`), "too much work"],
    [
      "a filter on many elements",
      svg(`${turbulence(2)}${'<rect filter="url(#f)"/>'.repeat(200)}`),
      "too much work",
    ],
    [
      "… by a style sheet for every element",
      svg(`<style>/* a */ svg > * { filter:url("#f") }</style>${turbulence(2)}${"<rect/>".repeat(200)}`),
      "too much work",
    ],
    [
      "… through uses",
      svg(`${turbulence(1)}<g id="a"><rect filter="url(#f)"/></g>${'<use href="#a"/>'.repeat(400)}`),
      "too much work",
    ],
    [
      "… named by a character reference",
      svg(`${turbulence(1)}${'<rect filter="url(&#35;f)"/>'.repeat(400)}`),
      "too much work",
    ],
    [
      "… named by an entity",
      svg(`${turbulence(1)}${'<rect filter="&u;"/>'.repeat(400)}`, '<!DOCTYPE svg [<!ENTITY u "url(#f)">]>'),
      "too much work",
    ],
    [
      "… with an attribute and a primitive that have the name of a property of objects",
      svg(
        `<filter id="f"><constructor/>${"<feDropShadow/>".repeat(9)}</filter>${'<rect filter="url(#f)" constructor=""/>'.repeat(400)}`,
      ),
      "too much work",
    ],
    [
      "a filter whose radius is no number",
      svg(`<filter id="f"><feMorphology radius="1.2.3"/></filter><rect filter="url(#f)"/>`),
      "too_complex",
    ],
    ["filter functions", svg('<rect style="filter: blur(9px) blur(9px)"/>'.repeat(800)), "too much work"],
    ["thousands of masks", svg('<mask id="m"/><g mask="url(#m)"><rect/></g>'.repeat(2000)), "too much work"],
    ["escapes in a function", svg('<rect filter="u\\72l(#f)"/>'), "too_complex"],
    ["escapes in a property", svg('<rect style="o\\70 acity: .5"/>'), "too_complex"],
    ["escapes in a style sheet", svg("<style>rect { f\\69lter: url(#f) }</style>"), "too_complex"],
    [
      "attributes from the document type",
      svg("<rect/>", '<!DOCTYPE svg [<!ATTLIST rect filter CDATA "url(#f)">]>'),
      "too_complex",
    ],
    ["markup in an entity", svg("&a;", "<!DOCTYPE svg [<!ENTITY a '<use/>'>]>"), "not_an_image"],
    ["an encoding that hides tags", svg("<rect/>", '<?xml version="1.0" encoding="utf-7"?>'), "not_an_image"],
    ["no XML", "<svg><g></svg>", "not_an_image"],
  ])("%s", (_name, text, expected) => expect(judge(text)).toBe(expected));
});

test("a style sheet that is never closed, and one with a million commas, are fine", () => {
  const sheets = [
    "a".repeat(2_000_000),
    "/*".repeat(500_000),
    ",a".repeat(500_000),
    `${"a-".repeat(500_000)}{x:y}`,
  ];
  for (const styles of sheets) expect(judge(svg(`<style>${styles}</style>`))).toBe("fine");
});
