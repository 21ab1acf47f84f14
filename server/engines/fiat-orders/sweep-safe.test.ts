import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isOfEarlierLine, markEventLine } from "#db/queries/events/keep-events.ts";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { TEST_CHAIN } from "#testing/factories.ts";
import { openFiatBench, SAFE, TREASURY } from "#testing/fiat.ts";
import { runOrdersOnce } from "./run-orders.ts";

let bench: Awaited<ReturnType<typeof openFiatBench>>;

beforeEach(async () => {
  bench = await openFiatBench();
});
afterEach(() => bench.close());

/** Sorts before every other. */
const FIRST = "0x000000000000000000000000000000000000c0Fe";

async function addWallet(values: { state?: string; held?: boolean; trouble?: string | null; address?: string } = {}): Promise<string> {
  const { state = "active", held = true, trouble = null, address = FIRST } = values;
  const id = randomUUID();
  const until = held ? new Date(Date.now() + 86_400_000).toISOString() : null;
  await bench.sql`insert into wallets (id, chain, address, fencing_token, lease_owner, lease_until, state, trouble, created_at)
    values (${id}, ${TEST_CHAIN.chain}, ${address}, 0, ${held ? "a worker" : null}, ${until}, ${state}, ${trouble}, now())`;
  return id;
}

async function sweptTo(more: Parameters<typeof bench.newEngine>[0] = {}): Promise<string | null | undefined> {
  const { id } = await bench.withdraw();
  await runOrdersOnce(bench.newEngine(more), "withdrawals");
  const { treasuryAddress } = await bench.withdrawal(id);
  expect((await bench.transferOf("sweep", id))?.recipient ?? null).toBe(treasuryAddress);
  return treasuryAddress;
}

describe("what is swept out of a Safe", () => {
  for (const state of ["draining", "retired", "compromised"])
    it(`never goes to a wallet that is ${state}, although it is the first there ever was`, async () => {
      await addWallet({ state });
      expect(await sweptTo()).toBe(TREASURY);
    });

  it("never goes to a wallet that is halted, that is in trouble, or that no worker holds", async () => {
    const halted = await addWallet();
    await addWallet({ held: false, address: FIRST.replace("c0Fe", "c0Fd") });
    await addWallet({ trouble: "its sequence is not the chain's", address: FIRST.replace("c0Fe", "c0Fc") });
    const scope = { kind: "wallet" as const, key: halted };
    await bench.db.transaction((tx) => haltScope(tx, { scope, cause: "key_compromised", detail: "a test" }));
    expect(await sweptTo()).toBe(TREASURY);
  });

  it("goes to the Safe's owner where that is one of those that may receive", async () => {
    await addWallet();
    const call = { to: SAFE, valueBase: 0n, data: "0x6a761202", sender: TREASURY };
    const recipients: string[] = [];
    const engine = {
      planSweep: async ({ recipient }: { recipient: string }) => {
        recipients.push(recipient);
        return call;
      },
    };
    expect(await sweptTo(engine)).toBe(TREASURY);
    expect(recipients).toEqual([FIRST, TREASURY]);
  });

  it("waits while the Safe's owner signs nothing new, says so, and runs on once another one is in its place", async () => {
    await addWallet({ state: "draining" });
    let sender = FIRST;
    const engine = bench.newEngine({ planSweep: async () => ({ to: SAFE, valueBase: 0n, data: "0x6a761202", sender }) });
    const { id } = await bench.withdraw();
    await runOrdersOnce(engine, "withdrawals");
    expect(await bench.transferOf("sweep", id)).toBeNull();
    const [waiting] = await bench.sql`select step, waiting_reason from withdrawals where id = ${id}`;
    expect(waiting).toEqual({ step: "reserved", waiting_reason: expect.stringContaining("put another owner in its place") });
    sender = TREASURY;
    await bench.sql`update withdrawals set due_at = business_now()`;
    await runOrdersOnce(engine, "withdrawals");
    expect(await bench.transferOf("sweep", id)).toMatchObject({ state: "queued", call: { sender: TREASURY } });
  });

  it("waits, and says so, while no wallet may receive it", async () => {
    await bench.sql`update wallets set state = 'draining'`;
    expect(await sweptTo()).toBeNull();
  });

  it("is looked up at the provider first where the database was restored since, and held for people if it is known there", async () => {
    const lookedUp = () => bench.provider.asked.flatMap(({ what, id }) => (what === "lookUp" ? [id] : []));
    const sweep = async (engine = bench.newEngine()) => {
      const { id } = await bench.withdraw();
      await runOrdersOnce(engine, "withdrawals");
      const [row] = await bench.sql`select w.step, coalesce(t.waiting_kind, w.waiting_reason) as waits from withdrawals w
        left join transfers t on t.owner_id = w.id and t.purpose = 'sweep' where w.id = ${id}`;
      return { id, ...row };
    };
    await markEventLine(bench.db);
    expect(await sweep()).toMatchObject({ step: "sweeping", waits: null });
    expect(lookedUp()).toEqual([]);
    // As another server would have it, or this one after a restore.
    await bench.sql`update event_epochs set line = 'another'`;
    bench.provider.answers(null);
    const fresh = await sweep();
    expect(fresh).toMatchObject({ step: "sweeping", waits: null });
    bench.provider.answers(new Unreachable("nobody there"));
    expect(await sweep()).toMatchObject({ step: "reserved", waits: "The fiat provider cannot be reached." });
    bench.provider.answers({ status: "succeeded", reference: "P-1", reason: null, instructions: null });
    const emptied = async () => {
      throw new Rejected("The Safe has too little.");
    };
    expect(await sweep(bench.newEngine({ planSweep: emptied }))).toMatchObject({
      step: "reserved",
      waits: expect.stringContaining("which was restored"),
    });
    const known = await sweep();
    expect(known).toMatchObject({ step: "sweeping", waits: "hold" });
    expect(await listHoldsOf(bench.db, [String(known.id)])).toMatchObject([
      { purpose: "sweep", check: "unexplained_payment", outcome: "open", reason: expect.stringContaining("(succeeded)") },
    ]);
    expect(lookedUp()).toEqual(expect.arrayContaining([fresh.id, known.id]));
    expect(bench.provider.asked.filter(({ what }) => what === "payOut")).toEqual([]);
    // Once the new line is noted, what is older is still of the earlier one.
    await markEventLine(bench.db);
    expect(await isOfEarlierLine(bench.db, new Date(Date.now() - 86_400_000))).toBe(true);
    expect(await isOfEarlierLine(bench.db, new Date(Date.now() + 1_000))).toBe(false);
  });
});
