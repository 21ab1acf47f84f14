import { writeCursor } from "#contract/cursor.ts";
import type { BenchDatabase } from "#testing/stage/database.ts";
import { type Caller, CHAIN } from "./caller.ts";
import { type Figures, measure } from "./calls.ts";

const TIMES = 60;
const PARTNER = "00000000-0000-4000-8000-000000000007";

/** What everything else is compared with: one row by its primary key, through the same driver. */
export async function measureReference({ sql }: BenchDatabase): Promise<Figures> {
  const [{ id } = { id: "" }] = await sql<{ id: string }[]>`select id from settlements limit 1`;
  return await measure("one row by its primary key", TIMES * 4, () => sql`select id, status from settlements where id = ${id}`);
}

type Filter = Omit<NonNullable<Parameters<Caller["settlements"]["list"]>[0]>, "limit" | "direction">;

function filtersOf(now: number): [string, Filter][] {
  const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
  return [
    ["no filter", {}],
    ["one partner", { partner_id: PARTNER }],
    ["awaiting approval", { view: "awaiting_approval" }],
    ["processing", { view: "processing" }],
    ["processing for 10 minutes", { view: "processing", processing_minutes: 10 }],
    ["executed", { view: "executed" }],
    ["failed", { view: "failed" }],
    ["failed today", { view: "failed", failed_today: true }],
    ["failed, by a word of its reason", { failure: "revert" }],
    ["failed, by a word that none has", { failure: "nothing" }],
    ["rejected", { view: "rejected" }],
    ["open quotes", { view: "quoted" }],
    ["lapsed quotes", { view: "lapsed" }],
    ["lapsed after approval", { view: "lapsed", approval: "approved" }],
    ["approved", { approval: "approved" }],
    ["a busy merchant", { merchant: "merchant-3" }],
    ["a rare merchant", { merchant: "merchant-4711" }],
    ["a currency and a rare amount", { source_currency: "PHP", amount_from: "899999.00" }],
    ["a pair on a chain", { source_currency: "KES", destination_currency: "USDC", chain: CHAIN }],
    ["a day long ago", { created_from: daysAgo(200), created_to: daysAgo(199) }],
    ["executed on a day long ago", { executed_from: daysAgo(200), executed_to: daysAgo(199) }],
    ["callback undelivered", { callbacks: "undelivered" }],
    ["callback retrying", { callbacks: "pending" }],
    ["callback delivered", { callbacks: "delivered" }],
    ["decided by me", { decided_by_me: true }],
    ["undelivered at one partner", { callbacks: "undelivered", partner_id: PARTNER }],
    ["nothing fits", { view: "failed", chain: "eip155:1" }],
    ["nothing fits in any index", { chain: "eip155:1", destination_currency: "USDT" }],
  ];
}

/** First page of each filter, and pages deep in the list. */
export async function measureLists({ sql }: BenchDatabase, operator: Caller, partner: Caller): Promise<Figures[]> {
  const found: Figures[] = [];
  for (const [name, filter] of filtersOf(Date.now())) {
    found.push(await measure(name, TIMES, () => operator.settlements.list(filter)));
  }
  const [deep] = await sql<{ at: string; id: string }[]>`
    select created_at as at, id from settlements order by created_at desc, id desc offset (select count(*) / 2 from settlements) limit 1`;
  if (deep === undefined) throw new Error("there is nothing to walk");
  const cursor = writeCursor({ createdAt: new Date(deep.at), id: deep.id });
  found.push(await measure("deep in the list", TIMES, () => operator.settlements.list({ cursor })));
  found.push(await measure("deep in the list, back up", TIMES, () => operator.settlements.list({ cursor, direction: "newer" })));
  found.push(
    await measure("deep among the failed, 100 rows", TIMES, () => operator.settlements.list({ view: "failed", cursor, limit: 100 })),
  );
  found.push(await measure("a partner's own", TIMES, () => partner.settlements.list({})));
  found.push(await measure("a partner's own, deep", TIMES, () => partner.settlements.list({ cursor })));
  found.push(await measure("a partner's failed", TIMES, () => partner.settlements.list({ view: "failed" })));
  found.push(await measure("a partner's undelivered", TIMES, () => partner.settlements.list({ callbacks: "undelivered" })));
  return found;
}

/** Every kind of text that somebody may paste, and one without a match. */
export async function measureSearches({ sql }: BenchDatabase, operator: Caller, partner: Caller): Promise<Figures[]> {
  const [one] = await sql<{ id: string; external: string; merchant: string; wallet: string; hash: string }[]>`
    select id, external_tx_id as external, external_merchant_id as merchant, wallet_address as wallet, tx_hash as hash
    from settlements where status = 'executed' and partner_id = '00000000-0000-4000-8000-000000000001' offset (select count(*) / 5 from settlements) limit 1`;
  if (one === undefined) throw new Error("there is nothing to search for");
  const texts: [string, string][] = [
    ["settlement id", one.id],
    ["external id", one.external],
    ["external id, its beginning", one.external.slice(0, -3)],
    ["merchant", one.merchant],
    ["merchant, its beginning", one.merchant.slice(0, -1)],
    ["wallet", one.wallet],
    ["wallet, in capitals", `0x${one.wallet.slice(2).toUpperCase()}`],
    ["wallet with its chain", `${CHAIN}:${one.wallet}`],
    ["transaction hash", one.hash],
    ["explorer link", `https://explorer.example/tx/${one.hash}`],
    ["what nobody has", "no-such-reference"],
  ];
  const found: Figures[] = [];
  for (const [name, text] of texts) found.push(await measure(name, TIMES, () => operator.settlements.search({ text })));
  found.push(await measure("external id, a partner's person", TIMES, () => partner.settlements.search({ text: one.external })));
  return found;
}

/** The calls around the list, and the queue. */
export async function measureRest(operator: Caller, partner: Caller): Promise<Figures[]> {
  return [
    await measure("count of everything (10,000+)", TIMES, () => operator.settlements.count({})),
    await measure("count of the failed", TIMES, () => operator.settlements.count({ view: "failed" })),
    await measure("count of the executed (10,000+)", TIMES, () => operator.settlements.count({ view: "executed" })),
    await measure("tiles", TIMES, () => operator.settlements.tiles()),
    await measure("tiles, a partner's", TIMES, () => partner.settlements.tiles()),
    await measure("approvals queue", 20, () => operator.approvals.list()),
  ];
}
