import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Random } from "#fault/random.ts";
import { heardBy } from "#fault/truth.ts";
import type { World } from "#fault/world.ts";
import { operatorClient } from "#sandbox/client/partner.ts";
import { type Endpoint, openEndpoint } from "#sandbox/client/receiver.ts";
import { ENDINGS, type Filing } from "./bucket-files.ts";

/** How a receiver answers. */
export const MOODS = ["slow", "fails", "hangs", "breaks off"] as const;
type Mood = (typeof MOODS)[number] | "good";

/** A partner with a key and a receiver of its own. */
export type Partner = {
  credentials: { api_key: string; api_secret: string; callback_secret: string };
  callbackUrl: string;
  /** Whether its receiver may be in a bad mood. */
  isMoody: boolean;
  mood: Mood;
  close(): Promise<void>;
};

const HANG_MS = 10_000;
const SLOW = { leastMs: 500, mostMs: 4_000 };
const Id = z.object({ id: z.string() });
const Key = z.object({ api_key: z.string(), api_secret: z.string() });
const Secret = z.object({ callback_secret: z.string() });

/** The stage's own partner and others; the receivers of every second one have moods. */
export async function openPartners(world: World, filing: Filing, { count, random }: { count: number; random: Random }): Promise<Partner[]> {
  const partners: Partner[] = [];
  for (let number = 0; number < count; number += 1) {
    const credentials = number === 0 ? world.stage.credentials : await newPartner(world, `soak-${number}`);
    partners.push(await receiving(credentials, { isMoody: number % 2 === 1, random: random.fork(String(number)), filing }));
  }
  return partners;
}

async function newPartner({ stage, webs }: World, slug: string): Promise<Partner["credentials"]> {
  const operator = operatorClient(webs[0] ?? "", stage.operator);
  const post = async <T>(schema: z.ZodType<T>, target: string, body: object): Promise<T> => {
    const { status, text } = await operator.call("POST", target, body);
    if (status !== 201) throw new Error(`POST ${target} was answered ${status}: ${text.slice(0, 300)}`);
    return schema.parse(JSON.parse(text));
  };
  const { id } = await post(Id, "/partners", { name: slug, slug, roles: ["AGGREGATOR"] });
  const key = await post(Key, "/partners/api-keys", { partner_id: id, name: slug });
  return { ...key, ...(await post(Secret, `/partners/${id}/callback-secret/rotate`, { overlap_seconds: 0 })) };
}

type Kind = { isMoody: boolean; random: Random; filing: Filing };

/** What it acknowledges is verified as it comes, and filed. */
async function receiving(credentials: Partner["credentials"], { isMoody, random, filing }: Kind): Promise<Partner> {
  let arrived = 0;
  const endpoint: Endpoint = await openEndpoint((delivery, response) => {
    const acknowledge = () => {
      if (response.destroyed) return;
      const [heard] = heardBy([delivery], credentials);
      if (heard !== undefined) filing.add("arrived", ENDINGS[arrived++ % ENDINGS.length] ?? "", heard);
      response.writeHead(200, { "content-type": "application/json" }).end('{"received": true}');
    };
    const answers: Record<Mood, () => unknown> = {
      good: acknowledge,
      slow: () => sleep(SLOW.leastMs + random.below(SLOW.mostMs - SLOW.leastMs)).then(acknowledge),
      fails: () => response.writeHead(500).end(),
      hangs: () => sleep(HANG_MS).then(() => response.destroy()),
      "breaks off": () => response.socket?.destroy(),
    };
    answers[partner.mood]();
  });
  const partner: Partner = {
    credentials,
    isMoody,
    callbackUrl: `${endpoint.origin}/callbacks`,
    mood: "good",
    close: () => endpoint.close(),
  };
  return partner;
}
