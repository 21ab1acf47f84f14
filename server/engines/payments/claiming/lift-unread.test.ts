import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import type { ScopeHalt } from "#domain/halt-scope.ts";
import type { Transfer } from "#domain/transfer.ts";
import { createTransferEngine, type TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { copyTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addProvenPerson } from "#testing/people.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** A halt by unknown transactions is not lifted while one of them is unread, unless two people accept it by its nonce. */

let chain: TestChain;
let node: RpcProxy;
let bench: TransferBench;
let restored: TestDatabase;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await restored.close();
  await bench.close();
  await node.stop();
});
afterAll(() => chain.stop());

const contextOf = () => ({ ...bench.ctx, db: restored.db, chains: bench.ctx.evm, mode: "live" as const });
const isQueued = async ({ id }: Transfer) => (await findTransfer(restored.db, id))?.state === "queued";

async function passes(worker: TransferEngine, count: number): Promise<void> {
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

/** A database from before a payment, and from before so many payments of which it knows nothing at all. */
async function comeBack(unknown: number): Promise<Transfer> {
  node = await startRpcProxy(chain.rpcUrl);
  bench = await openTransferBench(chain, { rpcUrls: [node.url] });
  const worker = bench.newWorker();
  await passes(worker, 1);
  const lost = await bench.enqueuePayment();
  await bench.sql`update wallets set lease_owner = null, lease_until = null`;
  restored = await copyTestDatabase(bench);
  await bench.sql`update transfers set rest_until = clock_timestamp() + interval '1 day' where id = ${lost.id}`;
  const others: string[] = [];
  for (let made = 0; made < unknown; made += 1) others.push((await bench.enqueuePayment()).id);
  await bench.run(worker, others);
  await bench.sql`update transfers set rest_until = null where id = ${lost.id}`;
  await bench.run(worker, [lost.id]);
  return lost;
}

/** The nodes do not show what is in their blocks. */
function fallSilent(): void {
  node.rule = (method, params) =>
    method === "eth_getBlockByNumber" && params[1] === true ? { error: { code: -32005, message: "rate limit" } } : "pass";
}

async function metHalt(): Promise<ScopeHalt> {
  const worker = createTransferEngine({
    ctx: { ...bench.ctx, db: restored.db, signers: bench.signersOf({ db: restored.db, journal: await bench.journal.lost(restored) }) },
    workerId: randomUUID(),
    onFinal: async () => {},
    timings: { restMs: 0, lookMs: 0, balanceMs: 0, leaseSeconds: 30 },
  });
  await passes(worker, 6);
  const [halt] = await listOpenHalts({ db: restored.db });
  if (halt?.cause !== "foreign_nonce") throw new Error("no halt was met");
  return halt;
}

describe("a halt by unknown transactions", () => {
  it("is not lifted while one of them is unread; once it can be read, what it paid prevents that", async () => {
    const lost = await comeBack(0);
    fallSilent();
    const halt = await metHalt();
    expect(halt.evidence).toMatchObject({ paid: [], unread: 1 });
    const { by } = await addProvenPerson(restored.db, "admin");
    const lift = (acceptedNonces?: number[]) => liftHalt(contextOf(), { by, haltId: halt.id, reason: "we are in a hurry", acceptedNonces });
    const unread = { code: "invalid_state", message: expect.stringContaining(`Nonce 0 of ${bench.addresses[0]} could not be read`) };
    await expect(lift()).rejects.toMatchObject(unread);
    await expect(lift([1])).rejects.toMatchObject(unread);
    node.rule = () => "refuse";
    await expect(lift()).rejects.toMatchObject(unread);
    node.rule = () => "pass";
    const paid = { code: "invalid_state", message: expect.stringContaining(`${lost.id} would be paid twice`) };
    await expect(lift()).rejects.toMatchObject(paid);
    await expect(lift([0])).rejects.toMatchObject(paid);
    expect(await isQueued(lost)).toBe(true);
    expect(await listOpenHalts({ db: restored.db })).toHaveLength(1);
  });

  it("is lifted all the same where two people accept the unread nonce by its number, on the record", async () => {
    await comeBack(0);
    fallSilent();
    const halt = await metHalt();
    const [ana, ben] = [await addProvenPerson(restored.db, "admin"), await addProvenPerson(restored.db, "admin")];
    const reason = "its transaction was looked up by hand";
    const { proposal, result } = await liftHalt(contextOf(), { by: ana.by, haltId: halt.id, reason, acceptedNonces: [0, 5] });
    expect(result).toBeNull();
    expect(proposal.body).toMatchObject({ accepted_unread: [0], paid: [] });
    await expect(confirmProposal(contextOf(), { by: ana.by, id: proposal.id })).rejects.toMatchObject({ code: "same_approver" });
    await confirmProposal(contextOf(), { by: ben.by, id: proposal.id });
    expect(await listOpenHalts({ db: restored.db })).toEqual([]);
    const noted = await restored.sql`select change->'accepted_unread' as accepted, reason from audit_entries where action = 'lane.lifted'`;
    expect([...noted]).toEqual([{ accepted: [0], reason }]);
  });

  it("has every one of them read, however many there are: the last of forty paid what is still owed", async () => {
    const lost = await comeBack(39);
    const halt = await metHalt();
    expect(halt.evidence).toMatchObject({ from_nonce: 0, below_nonce: 40, paid: [], unread: 8 });
    const { by } = await addProvenPerson(restored.db, "admin");
    await expect(liftHalt(contextOf(), { by, haltId: halt.id, reason: "they look like ours" })).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining(`${lost.id} would be paid twice`),
    });
  });
});
