import { z } from "zod";

/** An email, a password, a code or a token as it is sent. The domain judges it; the limit keeps hashing cheap. */
export const credentialInput = z.string().max(1024);
