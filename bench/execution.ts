import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "#server/process/supervisor.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { spent } from "./processes.ts";
import { Transferred } from "./programs/job.ts";
import { runProgram, withReceivers } from "./programs/run.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Side, type Tally } from "./rounds.ts";
import { RECIPIENT } from "./signed.ts";
import { onOwnStage, type Stage } from "./stage.ts";

const ON_THEIR_WAY = 256;
const AMOUNT_BASE = 7_000_000n;

/** Execution of confirmed settlements: one worker with one wallet and with four, compared with a bare loop of signed transfers. */
export async function measureExecution(server: BenchServer, timings: { rounds: number; count: number }): Promise<string> {
  const measured = async (stage: Stage, database: BenchDatabase, callbackUrl: string) => {
    const key = await stage.fundedKey("bare");
    const countOf = (counts: boolean) => (counts ? timings.count : Math.ceil(timings.count / 5));
    const ours = (wallets: number) => async (counts: boolean) => {
      await enqueuePayment(database, stage, { count: countOf(counts), callbackUrl });
      return await pay(database, () => stage.startWorker(wallets));
    };
    const loop = async (counts: boolean): Promise<Tally> => {
      const task = { rpcUrl: stage.chain.rpcUrl, key, token: stage.chain.tokens.USDT, recipient: RECIPIENT, count: countOf(counts) };
      const more = { amountBase: String(AMOUNT_BASE), onTheirWay: ON_THEIR_WAY, confirmations: stage.confirmations };
      const { value, cpuMs } = await spent(() => runProgram("transfers", { ...task, ...more }));
      const transferred = Transferred.parse(value);
      return { ...transferred, cpuMs: { loop: transferred.cpuMs, chain: cpuMs.chain ?? 0 } };
    };
    const bare = `bare loop, ${ON_THEIR_WAY} on their way`;
    const sides: Side[] = [
      { name: "execution, 1 wallet", run: ours(1), against: { name: bare, goal: 0.8 } },
      { name: "execution, 4 wallets", run: ours(4), against: { name: "execution, 1 wallet", goal: 2.5 } },
      { name: bare, run: loop },
    ];
    return ratesTable(await inTurns(sides, timings.rounds));
  };
  return await onOwnStage(server, (stage, database) => withReceivers(1, ([url]) => measured(stage, database, url)));
}

/** `wallets`: whom they pay, in turns; left out: always the same one. */
type Owed = { count: number; callbackUrl: string; wallets?: readonly string[] };

/** Confirmed settlements, through the services, on the stage's network or else on its chain; no worker runs yet. */
export async function enqueuePayment(
  { db, sql }: BenchDatabase,
  { evm, network, partnerId, chain }: Stage,
  { count, callbackUrl, wallets = [RECIPIENT] }: Owed,
) {
  const [key] = await sql<{ id: string }[]>`select id from api_keys where partner_id = ${partnerId}`;
  if (key === undefined) throw new Error("the partner has no key");
  const by = { actor: { type: "api_key", apiKeyId: key.id, partnerId }, requestId: null } as const;
  const command = { partnerId, apiKeyId: key.id, by, sourceAmountMinor: 100_000n, sourceCurrency: "KES", destinationCurrency: "USDT" };
  const place = { externalMerchantId: "merchant-7", chain: network?.chain ?? chain.chain, callbackUrl };
  const terms = { externalTxId: "", callbackUrl: null, expectedDestinationAmount: null };
  let left = count;
  const loop = async () => {
    while (left-- > 0) {
      const walletAddress = wallets[left % wallets.length] ?? RECIPIENT;
      const { id } = await createSettlement({ db, chains: network?.judge ?? evm }, { ...command, ...place, walletAddress });
      await confirmSettlement({ db }, { ...terms, partnerId, by, id, externalTxId: randomUUID() });
    }
  };
  await Promise.all(Array.from({ length: 6 }, loop));
}

/** One worker until everything is executed, from the moment it is ready. It delivers its callbacks before it ends. */
export async function pay(database: BenchDatabase, startWorker: () => Promise<Running>): Promise<Tally> {
  const [owed] = await database.sql<{ count: number }[]>`select count(*)::int from transfers where due_at is not null`;
  const worker = await startWorker();
  const { seconds, cpuMs } = await spent(() => untilNothingIsDue(database, "transfers"));
  await untilNothingIsDue(database, "callbacks");
  await worker.stop();
  const { bench: _, ...others } = cpuMs;
  return { done: owed?.count ?? 0, seconds, cpuMs: others };
}

export async function untilNothingIsDue({ sql }: BenchDatabase, table: "transfers" | "callbacks"): Promise<void> {
  for (;;) {
    const due = await sql`select 1 from ${sql(table)} where due_at is not null limit 1`;
    if (due.length === 0) return;
    await sleep(20);
  }
}
