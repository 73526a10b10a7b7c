import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { withoutNonce } from "#app/http/pipeline/inline-sources.server.ts";

const hashOf = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

test("scripts and styles with the nonce are allowed by their hash, and the nonce is removed", () => {
  const html =
    '<style nonce="n1">a{}</style><script nonce="n1">one()</script><script type="module" nonce="n1" async="">two()</script>' +
    '<script src="/x.js" nonce="n1"></script><link rel="modulepreload" href="/x.js" nonce="n1">';
  const { bytes, inline } = withoutNonce(Buffer.from(html), "n1");
  expect(bytes.toString()).toBe(html.replaceAll(' nonce="n1"', ""));
  expect(inline).toEqual({ styles: hashOf("a{}"), scripts: `${hashOf("one()")} ${hashOf("two()")}` });
});

test("a script that is in the page without the nonce is not allowed", () => {
  const html = '<script>evil()</script><script nonce="guess">evil()</script><style>b{}</style>';
  const { bytes, inline } = withoutNonce(Buffer.from(html), "n1");
  expect(bytes.toString()).toBe(html);
  expect(inline).toEqual({ styles: "", scripts: "" });
});
