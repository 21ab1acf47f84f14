import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Delivery } from "#sandbox/client/receiver.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import type { EvmDirectory, LapsingDirectory } from "#server/ports.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { auditLines } from "#server/services/ledger/audit-report.ts";
import type { BenchDatabase } from "#testing/stage/database.ts";
import type { Facts, Heard, KnownCallback, KnownSettlement, Payment } from "./checker.ts";
import type { World } from "./world.ts";

/** The facts after a run, collected from each source independently. */

/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const NOBODY = `0x${"0".repeat(64)}`;

const Log = z.object({ topics: z.tuple([z.string(), z.string(), z.string()]), data: z.string(), transactionHash: z.string() });

/** Every movement of the token on the chain, or in those blocks, but its making; on another family's network, every payment of it. */
export async function paymentsOn(
  { stage }: { stage: { chain: Pick<World["stage"]["chain"], "call" | "tokens">; network?: World["stage"]["network"] } },
  blocks = { fromBlock: "0x0", toBlock: "latest" },
): Promise<Payment[]> {
  if (stage.network) return await stage.network.payments();
  const filter = { ...blocks, address: stage.chain.tokens.USDT, topics: [TRANSFER] };
  const logs = z.array(Log).parse(await stage.chain.call("eth_getLogs", filter));
  return logs
    .filter(({ topics }) => topics[1] !== NOBODY)
    .map(({ topics, data, transactionHash }) => ({
      wallet: `0x${topics[2].slice(-40)}`,
      amountBase: BigInt(data),
      txHash: transactionHash,
    }));
}

/** What the service itself says. `endings`: only of wallets that end so, in small letters. */
export async function knownTo(
  { sql }: Pick<BenchDatabase, "sql">,
  endings: readonly string[] | null = null,
): Promise<{ settlements: KnownSettlement[]; callbacks: KnownCallback[] }> {
  const wanted = endings === null ? sql`true` : sql`lower(right(s.wallet_address, 2)) = any(${endings})`;
  const settlements = await sql<KnownSettlement[]>`
    select s.id, s.status, s.wallet_address as wallet, s.tx_hash as "txHash" from settlements s where ${wanted}`;
  const callbacks = await sql<KnownCallback[]>`
    select c.id, c.subject_id as "subjectId", c.state, c.url,
      (select count(*)::int from callback_attempts a
        where a.callback_id = c.id and a.partner_id = c.partner_id and a.series = c.series and a.number is not null and a.ended_at is not null) as completed
    from callbacks c where c.event <> 'settlement.approved'
      and (${endings === null} or exists (select from settlements s where s.id = c.subject_id and s.partner_id = c.partner_id and ${wanted}))`;
  return { settlements: [...settlements], callbacks: [...callbacks] };
}

/** A receiver judges a signature's age when it comes, and a run takes longer than that may be. */
function asOf(at: Date, judge: () => unknown): void {
  const { now } = Date;
  Date.now = () => at.getTime();
  try {
    judge();
  } finally {
    Date.now = now;
  }
}

/** A receiver's callbacks, each with both signatures verified. */
export function heardBy(deliveries: readonly Delivery[], secrets: { callback_secret: string; api_secret: string }): Heard[] {
  return deliveries.map((delivery) => {
    const body = JSON.parse(delivery.body.toString("utf8"));
    const callbackId = String(delivery.headers["webhook-id"]);
    const attempt = { callbackId, subjectId: String(body.tx_id ?? body.batch_id), txHash: body.tx_hash ?? null, acknowledged: true };
    try {
      asOf(delivery.arrivedAt, () => verifyCallback(delivery, secrets));
      return { ...attempt, trouble: null };
    } catch (error) {
      return { ...attempt, trouble: error instanceof Error ? error.message : String(error) };
    }
  });
}

/** How late the first attempts to these origins were. */
export async function latenessTo({ sql }: BenchDatabase, origin: string): Promise<number[]> {
  const rows = await sql<{ ms: number }[]>`
    select extract(epoch from a.sent_at - a.scheduled_at)::float8 * 1000 as ms
    from callback_attempts a join callbacks c on c.id = a.callback_id and c.partner_id = a.partner_id
    where a.number = 1 and starts_with(c.url, ${origin})`;
  return rows.map(({ ms }) => ms);
}

/** Waits until nothing is due any more; returns how long that took, or null. */
export async function drained({ sql }: BenchDatabase, limitMs: number): Promise<number | null> {
  for (const began = performance.now(); performance.now() - began < limitMs; await sleep(100)) {
    const left = await sql`
      select 1 from transfers where due_at is not null union all
      select 1 from transfers where adrift_since is not null union all
      select 1 from adrift_places union all
      select 1 from callbacks where due_at is not null union all
      select 1 from settlements where status = 'processing' limit 1`.catch(() => [1]);
    if (left.length === 0) return performance.now() - began;
  }
  return null;
}

const SHOWN = 20;

/** `npm run audit`, over the database and against the chain. */
export async function audited({ db }: Pick<BenchDatabase, "db">, evm: EvmDirectory, lapsing?: LapsingDirectory): Promise<Facts["audit"]> {
  const report = await auditDatabase({ db, evm, ...(lapsing && { lapsing }) });
  const violations = auditLines(report).filter((line) => !line.startsWith("✓"));
  return { checked: report.checked, violations: report.violations === 0 ? [] : violations.slice(0, SHOWN) };
}

type KnownFacts = Partial<Facts> & { deliveries?: readonly Delivery[] };

/** All facts, besides those of the experiment itself. */
export async function factsOf(
  world: World,
  nothing: Facts,
  { deliveries = world.receiver.deliveries, ...own }: KnownFacts,
): Promise<Facts> {
  return {
    ...nothing,
    lapseMs: world.stage.network?.lapseMs ?? 0,
    owed: world.history.owed,
    answers: world.history.answers,
    ...(await knownTo(world.database)),
    payments: await paymentsOn(world),
    heard: heardBy(deliveries, world.stage.credentials),
    audit: await audited(world.database, world.stage.evm, world.stage.network?.judge),
    ...own,
  };
}
