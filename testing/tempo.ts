import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, encodeFunctionData, type Hex, pad } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { Abis, Addresses } from "viem/tempo";
import { insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingSigners } from "#domain/lapsing-signer.ts";
import type { Transfer } from "#domain/transfer.ts";
import { rpcUrl, startAnvil } from "#sandbox/chain/anvil.ts";
import { callNode } from "#sandbox/chain/rpc.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { NOBODY } from "#server/adapters/chain/tempo/ask-node.ts";
import { openTempoChain } from "#server/adapters/chain/tempo/open-tempo-chain.ts";
import { tempoKey } from "#server/adapters/signer/tempo-key.ts";
import { createLapsingEngine, type LapsingEngine, type LapsingEngineOptions } from "#server/engines/lapsing/engine.ts";
import { runLapsingOnce } from "#server/engines/lapsing/run-lapsing.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { createTestDatabase, processOf, type TestDatabase } from "./database.ts";
import { mortal } from "./death.ts";
import { plantTransfer } from "./plant-transfer.ts";
import { noScreening } from "./screening.ts";

/** Two of the tokens that every local network of Tempo has. The first pays the fees. */
const FEES = { currency: "PATHUSD", address: "0x20c0000000000000000000000000000000000000", decimals: 6 };
const PAID = { currency: "ALPHAUSD", address: "0x20c0000000000000000000000000000000000001", decimals: 6 };
/** Holds all of both there, and the node signs for it. */
const DEVELOPER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const TRANSFER_WITH_MEMO = "0x57bc7354aa85aed339e000bccffabbc529466af35f0772c8f8ee1145927de7f0";
const WINDOW = 25;

const word = (value: bigint | string) => (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");

/** A local network of Tempo, which makes a block only on `mine`. */
export async function startTempo() {
  const folder = mkdtempSync(join(tmpdir(), "settlement-tempo-"));
  const port = await findFreePort();
  const node = await startAnvil({ port, logFile: join(folder, "anvil.log"), network: { name: "tempo", hardfork: "T3" } });
  const url = rpcUrl(port);
  const call = (method: string, ...params: unknown[]) => callNode(url, method, params);
  const balanceOf = async (token: string, holder: string) =>
    BigInt(String(await call("eth_call", { to: token, data: `0x70a08231${word(holder)}` }, "latest")));
  await call("evm_setAutomine", false);
  let taking = "";
  return {
    url,
    call,
    balanceOf,
    mine: () => call("anvil_mine", "0x1"),
    /** Past every expiry. */
    async passWindow() {
      await call("evm_increaseTime", WINDOW + 5);
      for (let block = 0; block < 3; block += 1) await call("anvil_mine", "0x1");
    },
    async give(token: string, to: string, amountBase: bigint) {
      await call("eth_sendTransaction", { from: DEVELOPER, to: token, data: `0xa9059cbb${word(to)}${word(amountBase)}`, gas: "0xf4240" });
      await call("anvil_mine", "0x1");
    },
    /** By a wallet that the node impersonates. */
    async take(token: string, from: string, amountBase: bigint) {
      await call("anvil_impersonateAccount", from);
      const data = `0xa9059cbb${word(DEVELOPER)}${word(amountBase)}`;
      taking = String(await call("eth_sendTransaction", { from, to: token, data, gas: "0xf4240", feeToken: FEES.address }));
      await call("anvil_mine", "0x1");
    },
    /** What that cost, in the fee token. */
    async feeOfTaking(): Promise<bigint> {
      const { logs } = (await call("eth_getTransactionReceipt", taking)) as { logs: { address: string; topics: string[]; data: string }[] };
      const fee = logs.find(({ address, topics }) => address === FEES.address && topics[2]?.startsWith("0x000000000000000000000000feec"));
      return BigInt(fee?.data ?? 0);
    },
    /** A new token, whose policy lets everybody but this wallet, and nobody, send and receive. */
    async tokenUnderPolicy(blocked: string): Promise<string> {
      const send = async (to: string, data: Hex) => {
        await call("eth_sendTransaction", { from: DEVELOPER, to, data, gas: "0x4c4b40" });
        await call("anvil_mine", "0x1");
      };
      const salt = pad(blocked as Hex, { size: 32 });
      const args = ["Test", "TEST", "USD", FEES.address as Address, DEVELOPER as Address, salt] as const;
      const create = encodeFunctionData({ abi: Abis.tip20Factory, functionName: "createToken", args });
      const token = `0x${String(await call("eth_call", { from: DEVELOPER, to: Addresses.tip20Factory, data: create }, "latest")).slice(-40)}`;
      await send(Addresses.tip20Factory, create);
      const list = [blocked as Address, NOBODY as Address];
      const abi = Abis.tip403Registry;
      const policy = encodeFunctionData({ abi, functionName: "createPolicyWithAccounts", args: [DEVELOPER as Address, 1, list] });
      const id = BigInt(String(await call("eth_call", { from: DEVELOPER, to: Addresses.tip403Registry, data: policy }, "latest")));
      await send(Addresses.tip403Registry, policy);
      await send(token, encodeFunctionData({ abi: Abis.tip20, functionName: "changeTransferPolicyId", args: [id] }));
      return token;
    },
    /** The memos under which a wallet was paid. */
    async memosTo(token: string, to: string): Promise<string[]> {
      const wanted = { address: token, fromBlock: "0x0", toBlock: "latest", topics: [TRANSFER_WITH_MEMO, null, `0x${word(to)}`] };
      const logs = (await call("eth_getLogs", wanted)) as { topics: string[] }[];
      return logs.map(({ topics }) =>
        Buffer.from((topics[3] ?? "").slice(2), "hex")
          .toString("utf8")
          .replace(/\0+$/, ""),
      );
    },
    async stop() {
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Tempo = Awaited<ReturnType<typeof startTempo>>;

/** `database`: its pool may write everything; omitted: a separate one, removed with the bench. */
type BenchOptions = { fund?: bigint; nodes?: number; packing?: boolean; database?: Pick<TestDatabase, "db" | "sql"> };

/** `by`: left out, a signer without a journal. */
type NewWorker = { observe?: LapsingEngineOptions["observe"]; on?: LapsingChain; by?: LapsingSigners };

/** A separate database and wallet on a network of Tempo, and workers that run pass by pass. */
export async function openTempoBench(
  tempo: Tempo,
  { fund = 1_000_000_000n, nodes = 1, packing = false, database: given }: BenchOptions = {},
) {
  const database = given === undefined ? await createTestDatabase() : { ...given, close: async () => {} };
  const { db, sql } = database;
  const secret = generatePrivateKey();
  const key = tempoKey(async () => secret);
  const wallet = await key.address();
  const chain = openTempoChain({
    chain: "eip155:31337",
    name: "Tempo",
    rpcUrls: Array.from({ length: nodes }, () => tempo.url),
    rpcTimeoutMs: 5_000,
    confirmations: 2,
    tokens: [FEES, PAID],
    feeCurrency: FEES.currency,
    validForSeconds: WINDOW,
    packing,
    twoNodesFrom: { [PAID.currency]: 10n ** 30n, [FEES.currency]: 10n ** 30n },
  });
  const [feeToken = "", paidToken = ""] = chain.tokens.map(({ address }) => address ?? "");
  if (fund > 0n) for (const token of [feeToken, paidToken]) await tempo.give(token, wallet, fund);
  // What it was given is final.
  await tempo.mine();
  const signers: LapsingSigners = {
    of: () => [{ kind: "sandbox", address: key.address, signsSafes: false }],
    async sign({ unsigned }) {
      const bytes = await key.sign(unsigned.bytes);
      return { outcome: "signed", id: await chain.checkSigned(bytes, unsigned), bytes };
    },
    admit: async ({ bytes }) => ({ raw: bytes }),
    readJournal: async () => ({ records: 0, durable: 0, newest: null }),
  };
  const lines: { level: string; message: string }[] = [];
  const write = (level: string) => (_: object, message: string) => void lines.push({ level, message });
  const log: LapsingEngineOptions["ctx"]["log"] = { info: write("info"), warn: write("warn"), error: write("error"), child: () => log };
  const meter = { transferMoved: () => {} } as unknown as LapsingEngineOptions["ctx"]["meter"];

  /** A separate worker process: only the database is shared with others. It dies where `observe` throws. */
  function newWorker({ observe, on = chain, by = signers }: NewWorker = {}): LapsingEngine {
    const fate = mortal({ db: processOf(db, "worker"), log, meter, screener: noScreening }, observe);
    const timings = { leaseSeconds: 30, restMs: 0, lookMs: 0 };
    return createLapsingEngine({ chains: [on], signers: by, onFinal: recordFinal, timings, ...fate });
  }
  const parts = { db, sql, chain, paidToken };
  return { ...parts, key, wallet, lines, feeToken, newWorker, ...tools(tempo, parts), close: () => database.close() };
}

type Parts = Pick<TestDatabase, "db" | "sql"> & { chain: LapsingChain; paidToken: string };

function tools(tempo: Tempo, { db, sql, chain, paidToken }: Parts) {
  const transfer = async (id: string): Promise<Transfer> => {
    const found = await findTransfer(db, id);
    if (found === null) throw new Error(`no transfer ${id}`);
    return found;
  };
  return {
    transfer,
    async enqueue(what: { recipient?: string } = {}): Promise<Transfer> {
      const now = new Date(Date.now() - 10);
      const asset = { chain: chain.chain, currency: PAID.currency, tokenAddress: paidToken, tokenDecimals: 6 };
      const recipient = privateKeyToAddress(generatePrivateKey());
      const owed = {
        ...asset,
        purpose: "settlement",
        ownerId: newId("settlement", now),
        partnerId: null,
        amountBase: 1_234_567n,
        recipient,
        now,
      } as const;
      const stored = await plantTransfer(db, { ...owed, ...what });
      if (stored === null) throw new Error("it has a payment");
      return stored;
    },
    pass: (worker: LapsingEngine) => runLapsingOnce(worker, worker.chains[0] ?? chain),
    /** Passes, with a block after each, until every one of them is final or `passes` are over. */
    async run(worker: LapsingEngine, ids: readonly string[], passes = 12): Promise<Transfer[]> {
      for (let pass = 0; pass < passes; pass += 1) {
        await runLapsingOnce(worker, worker.chains[0] ?? chain);
        const now = await Promise.all(ids.map(transfer));
        if (now.every(({ state }) => ["executed", "failed", "needs_review"].includes(state))) return now;
        await tempo.mine();
      }
      return await Promise.all(ids.map(transfer));
    },
    /** What a few seconds would do to a dead worker's leases. */
    async letLeasesLapse(): Promise<void> {
      await sql`update transfers set lease_until = clock_timestamp() - interval '1 second', rest_until = null where lease_until is not null`;
    },
    /** The transfer whose transaction has paid it: its own, or that of several payments. */
    async carrierOf(id: string): Promise<string> {
      const [row] = await sql`select pack_id from pack_members where transfer_id = ${id} and outcome = 'paid'`;
      return row?.pack_id ?? id;
    },
    attempts: (transferId: string) =>
      sql`select id, number, state, block_hash, ended_at from lapsing_attempts where transfer_id = ${transferId} order by number`,
    /** What the ledger has taken out of the treasury as fees, by token's currency. */
    async feesBooked(): Promise<{ currency: string; base: bigint }[]> {
      const rows = await sql`select currency, sum(amount)::text as base from ledger_postings where account = 'network_fees' group by 1`;
      return rows.map(({ currency, base }) => ({ currency, base: BigInt(base) }));
    },
    async finals(id: string): Promise<number> {
      const [row] = await sql`select count(*)::int as ends from audit_entries where object_id = ${id} and action = 'test.final'`;
      return row?.ends;
    },
  };
}
export type TempoBench = Awaited<ReturnType<typeof openTempoBench>>;

/** Records, in the transaction that ends a transfer, that its owner was advanced. */
const recordFinal: OnFinal = async (tx, transfers) => {
  const entry = { by: { actor: { type: "system" as const }, requestId: null }, partnerId: null, action: "test.final", now: new Date() };
  await insertAuditEntries(
    tx,
    transfers.map(({ id, state }) => ({ ...entry, objectId: id, change: { state } })),
  );
};
