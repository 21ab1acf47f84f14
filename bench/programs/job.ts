import { z } from "zod";

/** The task of a generator. `confirms: false`: the server has no confirm, and a second create replaces it. */
export const Job = z.object({
  kind: z.enum(["create", "get", "pair"]),
  /** The connections are dealt out to them in turns. */
  baseUrls: z.array(z.string()).min(1),
  /** Who signs: the connections are dealt out to them in turns. */
  keys: z.array(z.object({ api_key: z.string(), api_secret: z.string(), /** A settlement of its own. */ getTarget: z.string() })).min(1),
  connections: z.number(),
  seconds: z.number(),
  createTarget: z.string(),
  createBody: z.string(),
  /** The wallet in that body. Each create is to one of a thousand others, as merchants have them. */
  recipient: z.string(),
  confirms: z.boolean(),
  callbackUrl: z.string(),
});
export type Job = z.infer<typeof Job>;

/** What came of it. `cpuMs`: the generator's own. */
export const Sent = z.object({ done: z.number(), seconds: z.number(), p50Ms: z.number(), cpuMs: z.number() });
export type Sent = z.infer<typeof Sent>;

/** How many have ended well, and what that cost the program itself. */
export const Transferred = z.object({ done: z.number(), seconds: z.number(), cpuMs: z.number() });
