import type { Visitor } from "#tests/support/requests/visitor.ts";

/** Reads the forms of our pages, for tests that post them like a browser without scripts. */

const entities: Record<string, string> = { amp: "&", quot: '"', "#x27": "'", lt: "<", gt: ">" };
const decode = (text = "") =>
  text.replace(/&(amp|quot|#x27|lt|gt);/g, (_, name: string) => entities[name] ?? "");
const attributeOf = (tag: string, attribute: string) =>
  decode(new RegExp(`\\s${attribute}="([^"]*)"`).exec(tag)?.[1]);

/** The fields that a browser sends for an unchanged form. Browsers send line breaks as CR LF. */
export function untouchedFields(form: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const type = attributeOf(tag, "type");
    const isTicked = type !== "checkbox" || tag.includes('checked=""');
    if (type === "file" || !isTicked || !tag.includes(" name=")) continue;
    const value = type === "checkbox" ? attributeOf(tag, "value") || "on" : attributeOf(tag, "value");
    fields.append(attributeOf(tag, "name").replace(/\r?\n/g, "\r\n"), value.replace(/\r?\n/g, "\r\n"));
  }
  for (const [, tag = "", options = ""] of form.matchAll(/(<select\b[^>]*>)(.*?)<\/select>/gs)) {
    const [, option = "", label] = /(<option[^>]*selected=""[^>]*>)([^<]*)/.exec(options) ?? [];
    fields.append(
      attributeOf(tag, "name"),
      option.includes(" value=") ? attributeOf(option, "value") : decode(label),
    );
  }
  return fields;
}

/** The form on the page that contains this field. */
export async function formOf(member: Visitor, path: string, field: string): Promise<string> {
  const html = await (await member.request(path)).text();
  const form = html.split("<form").find((part) => part.includes(`name="${field}"`));
  return form?.split("</form>")[0] ?? "";
}
