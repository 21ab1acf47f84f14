import { z } from "zod";

/** What a generator is to send. `confirms: false`: whoever answers knows no confirm, a second create stands for it. */
export const Job = z.object({
  kind: z.enum(["create", "get", "pair"]),
  baseUrl: z.string(),
  credentials: z.object({ api_key: z.string(), api_secret: z.string() }),
  connections: z.number(),
  seconds: z.number(),
  createTarget: z.string(),
  createBody: z.string(),
  confirms: z.boolean(),
  getTarget: z.string(),
});
export type Job = z.infer<typeof Job>;

/** What came of it. `cpuSeconds`: the generator's own. */
export const Tally = z.object({ done: z.number(), seconds: z.number(), p50Ms: z.number(), cpuSeconds: z.number() });
export type Tally = z.infer<typeof Tally>;
