/**
 * The query parameters that players add to a URL of a playlist, for the playlist's server: delivery directives (RFC
 * 8216bis, 6.2.5; `_HLS_push` is from its early drafts), content steering (7.1) and interstitials (appendix D.4). A
 * player cannot sign them, so only these names with values of the right form are passed on.
 */

const integer = /^\d{1,20}$/;
const forms: ReadonlyMap<string, RegExp> = new Map([
  ["_HLS_msn", integer],
  ["_HLS_part", integer],
  ["_HLS_push", /^[01]$/],
  ["_HLS_skip", /^(?:YES|v2)$/],
  ["_HLS_pathway", /^(?:[\w.-]{1,64}|"[\w.-]{1,64}")$/],
  ["_HLS_throughput", integer],
  ["_HLS_primary_id", /^[\w.-]{1,64}$/],
  ["_HLS_start_offset", /^-?\d{1,20}(?:\.\d{1,20})?$/],
]);

export type DeliveryDirective = readonly [name: string, value: string];

/** Takes the first value of each name; all other parameters are left out. */
export function readDirectives(parameters: Iterable<readonly [string, string]>): DeliveryDirective[] {
  const directives = new Map<string, string>();
  for (const [name, value] of parameters)
    if (!directives.has(name) && forms.get(name)?.test(value)) directives.set(name, value);
  return [...directives];
}
