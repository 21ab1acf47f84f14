import { randomUUID } from "node:crypto";
import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi, toHex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { tokenTransfer } from "#domain/evm-intent.ts";
import { type PackedMember, packedCall } from "#domain/packed-transfers.ts";
import { deploy } from "#sandbox/chain/tokens.ts";
import { PACKING_CONTRACT } from "#server/adapters/chain/evm/packing/packing-contract.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { enqueuePayment, pay } from "./execution.ts";
import { spent } from "./processes.ts";
import { withReceivers } from "./programs/run.ts";
import { expecting, type Send, sender } from "./programs/sender.ts";
import { ratesTable, table } from "./report.ts";
import { inTurns, type Side, type Tally } from "./rounds.ts";
import { grow, jobOf, keysOfPartners } from "./signed.ts";
import { onOwnStage, type Stage } from "./stage.ts";

const ITEMS = 500;
const TARGET = "/api/v1/settlement-batches";
/** An item costs a quarter of a create at most. */
const GOAL = 4;
const BLOCK_GAS = 30_000_000;
/** So seldom that the service waits for the next block with either side. */
const BLOCK_SECONDS = 6;
/** Enough to fill several blocks, packed or not. */
const IN_BLOCKS = 5_000;

/**
 * Batches: what an item of 500 costs compared with a create of its own, by one key on one connection; the gas of payments in one packed
 * transaction, compared with a transaction each; and how many of them one wallet pays in a second.
 */
export async function measureBatches(server: BenchServer, timings: { rounds: number; batches: number; payments: number }): Promise<string> {
  const { rounds, payments } = timings;
  const asked = await measureItems(server, timings);
  const paid = (stage: Stage, database: BenchDatabase) => measurePayments(stage, database, { rounds, payments });
  const inBlocks = (stage: Stage, database: BenchDatabase) => measureBlocks(stage, database, Math.min(payments, IN_BLOCKS));
  const [byService, byChain] = [
    await onOwnStage(server, paid, { packing: true }),
    await onOwnStage(server, inBlocks, { packing: true, blockSeconds: BLOCK_SECONDS }),
  ];
  return [asked, byService, byChain].join("\n\n");
}

async function measureItems(server: BenchServer, { rounds, batches }: { rounds: number; batches: number }): Promise<string> {
  return await onOwnStage(server, async (stage, database) => {
    const web = await stage.startWeb();
    const [key] = await keysOfPartners(stage, web.baseUrl);
    await grow(database, stage, web.baseUrl);
    const send = sender(key, web.baseUrl);
    const times: number[] = [];
    const alone = "create, one by one";
    const sides: Side[] = [
      {
        name: `create, an item of ${ITEMS}`,
        run: (measured) => inBatches(stage, send, { batches, times: measured ? times : [] }),
        against: { name: alone, goal: GOAL },
      },
      { name: alone, run: () => oneByOne(stage, send, batches * 100) },
    ];
    const rates = ratesTable(await inTurns(sides, rounds));
    const sorted = times.toSorted((left, right) => left - right);
    const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
    const answered = `${times.length} batches of ${ITEMS} were answered in ${at(0.5)} ms at the median and in ${at(0.95)} ms at the 95th percentile (goal: ≤ 1500).`;
    return `${rates}\n\n${answered}\n\n${await gasTable(stage)}`;
  });
}

/**
 * What one wallet gets into blocks where the chain is the limit and not the service: a block seldom enough that the service waits for it. Both
 * sides pay as many recipients in the same chain's blocks, one after the other. What counts is from the first block with a payment to the last.
 */
async function measureBlocks(stage: Stage, database: BenchDatabase, payments: number): Promise<string> {
  const paid = await withReceivers(1, async ([callbackUrl]) => {
    const side = async (env: Readonly<Record<string, string>>) => {
      const wallets = membersOf(payments).map(({ recipient }) => recipient);
      const [before] = await database.sql<{ height: number }[]>`select coalesce(max(block_number), 0)::int as height from transfers`;
      await enqueuePayment(database, stage, { count: payments, callbackUrl, wallets });
      await pay(database, () => stage.startWorker(1, env));
      return await blocksAbove(database, before?.height ?? 0);
    };
    return [
      ["packed", await side({})],
      ["one by one", await side(stage.unpacked(1))],
    ] as const;
  });
  const alone = paid[1][1];
  const lines = paid.map(([name, { full, perSecond }]) => {
    const ratio = name === "packed" ? `${(perSecond / alone.perSecond).toFixed(2)} of one by one` : "";
    return [name, String(full), perSecond.toFixed(1), ratio, name === "packed" ? "≥ 2" : ""];
  });
  const limit = (BLOCK_GAS / 1_000_000).toFixed(0);
  return table(
    [`One wallet, ${limit} million gas each ${BLOCK_SECONDS} s`, "payments in a full block", "per second", "ratio", "goal"],
    lines,
  );
}

/**
 * `full`: the most payments in one block. `perSecond`: those in the blocks after the first, over the time from the first to the last; of a single
 * block, over the time of one.
 */
async function blocksAbove({ sql }: BenchDatabase, height: number): Promise<{ full: number; perSecond: number }> {
  const blocks = await sql<{ height: number; payments: number }[]>`
    select block_number::int as height, count(*)::int as payments from transfers
    where purpose = 'settlement' and state = 'executed' and block_number > ${height} group by 1 order by 1`;
  const [first, ...others] = blocks;
  if (first === undefined) throw new Error("no block has a payment");
  const counted = others.length === 0 ? [first] : others;
  const payments = counted.reduce((sum, block) => sum + block.payments, 0);
  const passed = Math.max(1, (counted.at(-1)?.height ?? first.height) - first.height);
  return { full: Math.max(...blocks.map((block) => block.payments)), perSecond: payments / (passed * BLOCK_SECONDS) };
}

/** Payments of one wallet to as many recipients, by a worker that packs them and by one that does not: until all are executed. */
async function measurePayments(stage: Stage, database: BenchDatabase, { rounds, payments }: { rounds: number; payments: number }) {
  return await withReceivers(1, async ([callbackUrl]) => {
    const wallets = membersOf(payments).map(({ recipient }) => recipient);
    const side = (env: Readonly<Record<string, string>>) => async (measured: boolean) => {
      await enqueuePayment(database, stage, { count: measured ? payments : Math.ceil(payments / 2), callbackUrl, wallets });
      return await pay(database, () => stage.startWorker(1, env));
    };
    const alone = "payments of one wallet, one by one";
    const sides: Side[] = [
      { name: "payments of one wallet, packed", run: side({}), against: { name: alone, goal: 2 } },
      { name: alone, run: side(stage.unpacked(1)) },
    ];
    const rates = ratesTable(await inTurns(sides, rounds));
    return `${rates}\n\n${await packedTable(stage, database)}`;
  });
}

/** What the transactions of these runs used, by their receipts. */
async function packedTable({ chain }: Stage, { sql }: BenchDatabase): Promise<string> {
  const rows = await sql<{ kind: string; hash: string; payments: number }[]>`
    select t.purpose as kind, t.tx_hash as hash, coalesce((select count(*)::int from pack_members m where m.pack_id = t.id), 1) as payments
    from transfers t where t.state = 'executed' and t.purpose in ('settlement', 'pack')
      and not exists (select from pack_members m where m.transfer_id = t.id)`;
  const found: { kind: string; gas: number; payments: number }[] = [];
  for (const { kind, hash, payments } of rows) {
    const { gasUsed } = (await chain.call("eth_getTransactionReceipt", hash)) as { gasUsed: string };
    found.push({ kind, gas: Number(gasUsed), payments: kind === "pack" ? payments : 1 });
  }
  const lines = [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, same]) => {
    const [gas, made] = [same.reduce((sum, one) => sum + one.gas, 0), same.reduce((sum, { payments }) => sum + payments, 0)];
    const size = made / same.length;
    return [kind === "pack" ? "packed" : "one by one", String(same.length), String(made), size.toFixed(1), (gas / made).toFixed(0)];
  });
  return table(["Paid in these runs", "transactions", "payments", "payments each", "gas for each payment"], lines);
}

async function inBatches(stage: Stage, send: Send, { batches, times }: { batches: number; times: number[] }): Promise<Tally> {
  const item = JSON.parse(jobOf(stage, { kind: "create", baseUrls: [], seconds: 0 }).createBody) as Record<string, unknown>;
  const body = () => {
    const items = Array.from({ length: ITEMS }, () => ({ ...item, external_tx_id: randomUUID() }));
    return JSON.stringify({ external_batch_id: randomUUID(), items });
  };
  const bodies = Array.from({ length: batches }, body);
  return await tallied(bodies.length * ITEMS, async () => {
    for (const one of bodies) {
      const started = performance.now();
      await expecting(send, 201, ["POST", TARGET, one]);
      times.push(performance.now() - started);
    }
  });
}

async function oneByOne(stage: Stage, send: Send, count: number): Promise<Tally> {
  const { createTarget, createBody } = jobOf(stage, { kind: "create", baseUrls: [], seconds: 0 });
  return await tallied(count, async () => {
    for (let left = count; left > 0; left -= 1) await expecting(send, 201, ["POST", createTarget, createBody]);
  });
}

async function tallied(done: number, work: () => Promise<void>): Promise<Tally> {
  const { seconds, cpuMs } = await spent(work);
  const { bench, ...others } = cpuMs;
  return { done, seconds, cpuMs: { ...others, ...(bench === undefined ? {} : { generator: bench }) } };
}

/** To recipients that hold none of the token yet, and to the same ones again. */
async function gasTable({ chain }: Stage): Promise<string> {
  const contract = await deploy(chain.rpcUrl, PACKING_CONTRACT.creationCode as Hex);
  const wallet = privateKeyToAddress(generatePrivateKey());
  await chain.fund(wallet, { ether: 100, tokens: 1_000_000 });
  await chain.call("anvil_impersonateAccount", wallet);
  const token = chain.tokens.USDT;
  const send = (to: string | null, data: string) => gasOf(stageCall(chain), { from: wallet, to, data });
  const approve = encodeFunctionData({ abi: parseAbi(["function approve(address, uint256)"]), args: [contract, maxUint256] });
  await send(token, approve);
  const rows: string[][] = [];
  for (const count of [2, 5, 20, 100]) {
    const [packed, single] = [membersOf(count), membersOf(count)];
    const one = async () => (await send(contract, packedCall(packed, { contract, token }).data)) / count;
    const each = async () => {
      let gas = 0;
      for (const { recipient, amountBase } of single) gas += await send(token, tokenTransfer(token, recipient, amountBase).data);
      return gas / count;
    };
    rows.push(gasRow(`${count} fresh recipients`, await one(), await each(), count === 20 ? "≥ 40 %" : ""));
    rows.push(gasRow(`${count} holders`, await one(), await each(), count === 20 ? "≥ 60 %" : ""));
  }
  const head = ["Gas for each payment", "packed", "alone", "saved", "goal", "payments in a block, packed", "alone"];
  return table(head, rows);
}

type ChainCall = (method: string, ...params: unknown[]) => Promise<unknown>;
const stageCall = ({ call, mine }: Stage["chain"]): ChainCall => {
  return async (method, ...params) => {
    const answer = await call(method, ...params);
    if (method === "eth_sendTransaction") await mine();
    return answer;
  };
};

async function gasOf(call: ChainCall, transaction: { from: Address; to: string | null; data: string }): Promise<number> {
  const hash = await call("eth_sendTransaction", { ...transaction, gas: toHex(10_000_000) });
  const receipt = (await call("eth_getTransactionReceipt", hash)) as { status: string; gasUsed: string } | null;
  if (receipt?.status !== "0x1") throw new Error("a transaction of the bench was not mined, or reverted");
  return Number(receipt.gasUsed);
}

function membersOf(count: number): PackedMember[] {
  return Array.from({ length: count }, () => ({ recipient: privateKeyToAddress(generatePrivateKey()), amountBase: 7_000_000n }));
}

function gasRow(name: string, packed: number, alone: number, goal: string): string[] {
  const saved = `${(100 * (1 - packed / alone)).toFixed(1)} %`;
  const fits = (gas: number) => Math.floor(BLOCK_GAS / gas).toString();
  return [name, packed.toFixed(0), alone.toFixed(0), saved, goal, fits(packed), fits(alone)];
}
