/**
 * Sends the requests of one account, three at a time. The site runs three requests of an account at once; on a slow
 * machine, further ones could wait so long that the site refuses them.
 */
export async function inThrees<Answer>(requests: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const waiting = [...requests.entries()];
  const answers: Answer[] = [];
  async function sendNext() {
    for (let next = waiting.shift(); next; next = waiting.shift()) answers[next[0]] = await next[1]();
  }
  await Promise.all(Array.from({ length: 3 }, sendNext));
  return answers;
}
