import { z } from "zod";

/** An email, password, code or token from a client. The domain checks it. The limit keeps hashing fast for any input. */
export const credentialInput = z.string().max(1024);
