import { createHash, randomBytes } from "node:crypto";

/** A secret that cannot be guessed, and what is kept of it: who reads the database cannot use it. */
export const newSecret = () => randomBytes(32).toString("base64url");

export const secretHash = (secret: string) => createHash("sha256").update(secret).digest("hex");
