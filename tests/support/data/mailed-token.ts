import { createHash, randomBytes } from "node:crypto";
import { db } from "#db/client.server.ts";
import { mailedTokens } from "#db/schema/accounts.ts";

/** Stores the secret of a link as if the link had been mailed. */
export async function newSecretFor(
  member: { id: string; email: string },
  kind: "reset" | "verification",
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  await db.insert(mailedTokens).values({
    kind,
    userId: member.id,
    email: member.email,
    secretHash: createHash("sha256").update(secret).digest("hex"),
    expiresAt: new Date(Date.now() + 600_000),
  });
  return secret;
}
