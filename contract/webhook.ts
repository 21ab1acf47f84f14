import type { z } from "zod";

/** A callback in the API documents: its event, and its body. */
export type Webhook = { summary: string; body: z.ZodType };
