/**
 * Sends the requests of one account, twelve at a time. The site runs twelve requests of an account at once; on a slow
 * machine, further ones could wait so long that the site refuses them.
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
