import type { z } from "zod";

/** A callback as documents tell it: what has happened, and what its body says. */
export type Webhook = { summary: string; body: z.ZodType };
