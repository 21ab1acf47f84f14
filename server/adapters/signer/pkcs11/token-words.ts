import { z } from "zod";

/** The protocol between the worker and the token's process. The PIN is sent this way and is in no environment. */

/** The first word: which token is meant. */
export const Opening = z.object({ library: z.string(), token: z.string(), pin: z.string() });
export type Opening = z.infer<typeof Opening>;

export const Question = z.object({
  id: z.int(),
  key: z.string(),
  /** 32 bytes in hexadecimal digits; null: the public key is asked for. */ digest: z.string().nullable(),
});
export type Question = z.infer<typeof Question>;

/**
 * `lost`: the token or the session is gone, which may pass. `refused`: it is not available with these settings. `pin`: the PIN is wrong,
 * and must not be tried again: a token locks itself after a few tries.
 */
export const TROUBLES = ["lost", "refused", "pin"] as const;

export const Answer = z.object({
  /** null: of the opening. */
  id: z.int().nullable(),
  /** Hexadecimal digits: the point, or r and s, 32 bytes each. */
  hex: z.string().nullable(),
  trouble: z.object({ kind: z.enum(TROUBLES), message: z.string() }).nullable(),
});
export type Answer = z.infer<typeof Answer>;
