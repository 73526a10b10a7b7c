/**
 * Sends the requests of one account, twelve at a time. The site runs twelve of an account; more would wait, and on a slow
 * machine so long that the site refuses them.
 */
export async function inTwelves<Answer>(requests: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const waiting = [...requests.entries()];
  const answers: Answer[] = [];
  async function sendNext() {
    for (let next = waiting.shift(); next; next = waiting.shift()) answers[next[0]] = await next[1]();
  }
  await Promise.all(Array.from({ length: 12 }, sendNext));
  return answers;
}
