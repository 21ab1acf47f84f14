import { z } from "zod";
import type { PasskeyOptions } from "#domain/passkey.ts";

/** The WebAuthn data exchanged with browsers and their devices. */

export const ticket = z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: "is no ticket" });
const MOST_CHARACTERS = 32_768;

/** The answer is read, and judged, by what knows passkeys. */
export const deviceAnswer = z.strictObject({
  ticket,
  answer: z
    .record(z.string(), z.unknown())
    .refine((answer) => JSON.stringify(answer).length <= MOST_CHARACTERS, { error: "is longer than any device's answer" }),
});

/** As it goes to the browser: JSON through and through, what is undefined left out. */
export function plainOptions(options: PasskeyOptions): Record<string, unknown> {
  return JSON.parse(JSON.stringify(options));
}
