import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LAPSING_LIFECYCLE, LAPSING_STATES, type LapsingLifecycleRow, type LapsingState } from "#domain/lapsing.ts";
import { newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { createTestDatabase, processOf, type TestDatabase } from "#testing/database.ts";
import { plantTransfer } from "#testing/plant-transfer.ts";
import { findLargestLapsingFee, insertLapsingAttempt, type LapsingRow, lockPayingWallet, saveLapsingAttempt } from "./lapsing-attempts.ts";
import { ensureWallet } from "./wallets.ts";

const NOW = new Date("2026-11-29T10:00:00.000Z");
const CHAIN = "lapsing:1";

let database: TestDatabase;
let walletId: string;
let made = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  walletId = await ensureWallet(database.db, { chain: CHAIN, address: "0xtreasury", now: NOW });
});
afterAll(() => database.close());

async function owe(chain = CHAIN): Promise<string> {
  made += 1;
  const plain = { chain, currency: "USDT", tokenAddress: "0xusd", tokenDecimals: 6, recipient: "0xb0", partnerId: null } as const;
  const transfer = newTransfer({ ...plain, purpose: "settlement", ownerId: `tx_${made}`, amountBase: 5n, now: NOW });
  await plantTransfer(database.db, transfer);
  return transfer.id;
}

async function store(transferId: string, { wallet = walletId, feeAtMost = 2n } = {}): Promise<string> {
  made += 1;
  const bytes = { signedBytes: "sealed", unsignedBytes: "plain", afterHeight: 3, expiryHeight: 9, expiryAt: null };
  await insertLapsingAttempt(processOf(database.db, "worker"), {
    id: `0x${made}`,
    transferId,
    walletId: wallet,
    ...bytes,
    feeToken: null,
    feeAtMost,
    signedAt: NOW,
  });
  return `0x${made}`;
}

/** As the worker writes it, with all that the state must have. */
async function become(id: string, state: LapsingState, blockNumber = 4): Promise<void> {
  const hasBlock = state === "seen" || state === "paid" || state === "failed";
  const block: Pick<LapsingRow, "blockNumber" | "blockHash"> = hasBlock
    ? { blockNumber, blockHash: "0xb" }
    : { blockNumber: null, blockHash: null };
  const isOver = state === "paid" || state === "failed" || state === "lapsed";
  await saveLapsingAttempt(processOf(database.db, "worker"), { id, state, sentAt: NOW, ...block, endedAt: isOver ? NOW : null });
}

/** How an attempt gets into a state. */
const WAY: Record<LapsingState, readonly LapsingState[]> = {
  stored: [],
  sent: ["sent"],
  seen: ["seen"],
  paid: ["paid"],
  failed: ["failed"],
  lapsed: ["lapsed"],
};
const LEGAL = new Set(
  Object.values(LAPSING_LIFECYCLE).flatMap(({ from, to }: LapsingLifecycleRow) => from.map((state) => `${state} ${to}`)),
);

describe("the database itself keeps the lifecycle of an attempt", () => {
  it("refuses every move that the table does not have, for every writer", async () => {
    for (const from of LAPSING_STATES)
      for (const to of LAPSING_STATES) {
        if (from === to) continue;
        const id = await store(await owe());
        for (const step of WAY[from]) await become(id, step);
        const moved = become(id, to);
        if (LEGAL.has(`${from} ${to}`)) await moved;
        else await expect(moved, `${from} ${to}`).rejects.toMatchObject({ cause: { code: "23001" } });
      }
  });

  it("has at most one attempt of a payment that may pay it, or has", async () => {
    const transferId = await owe();
    const first = await store(transferId);
    await expect(store(transferId)).rejects.toMatchObject({ cause: { code: "23505" } });
    await become(first, "lapsed");
    const second = await store(transferId);
    await become(second, "paid");
    await expect(store(transferId)).rejects.toMatchObject({ cause: { code: "23505" } });
    const rows = await database.sql`select id, number, state from lapsing_attempts where transfer_id = ${transferId} order by number`;
    expect(rows.map(({ id, number, state }) => [id, number, state])).toEqual([
      [first, 1, "lapsed"],
      [second, 2, "paid"],
    ]);
  });

  it("changes nothing of what was signed, even for the owner of the tables", async () => {
    const id = await store(await owe());
    for (const change of [
      "signed_bytes = 'other'",
      "unsigned_bytes = 'other'",
      "after_height = 9",
      "expiry_height = 1",
      "transfer_id = 'another'",
    ])
      await expect(database.sql.unsafe(`update lapsing_attempts set ${change} where id = '${id}'`), change).rejects.toMatchObject({
        code: "23001",
      });
  });

  it("lets only the worker write", async () => {
    const id = await store(await owe());
    for (const kind of ["web", "signer"] as const)
      await expect(
        saveLapsingAttempt(processOf(database.db, kind), {
          id,
          state: "lapsed",
          sentAt: null,
          blockNumber: null,
          blockHash: null,
          endedAt: NOW,
        }),
      ).rejects.toMatchObject({
        cause: { code: "42501" },
      });
  });

  it("signs nothing with a wallet that is halted or out of use", async () => {
    const lock = () => database.db.transaction((tx) => lockPayingWallet(tx, CHAIN, "0xtreasury"));
    expect(await lock()).toBe(walletId);
    await database.sql`update wallets set state = 'draining' where id = ${walletId}`;
    expect(await lock()).toBeNull();
    await database.sql`update wallets set state = 'active' where id = ${walletId}`;
  });
});

it("the largest fee is that of the fifty newest attempts in a block, of each wallet of the chain", async () => {
  const chain = "lapsing:2";
  expect(await findLargestLapsingFee(database.db, chain)).toBe(null);
  const [busy, quiet] = await Promise.all(["0xbusy", "0xquiet"].map((address) => ensureWallet(database.db, { chain, address, now: NOW })));
  const pay = async (wallet: string | undefined, feeAtMost: bigint, blockNumber: number) =>
    await become(await store(await owe(chain), { ...(wallet && { wallet }), feeAtMost }), "paid", blockNumber);
  await pay(busy, 9n, 1);
  await pay(quiet, 5n, 1);
  expect(await findLargestLapsingFee(database.db, chain)).toEqual({ token: null, amountBase: 9n });
  for (let block = 2; block < 52; block += 1) await pay(busy, 3n, block);
  await store(await owe(chain), { ...(quiet && { wallet: quiet }), feeAtMost: 100n });
  expect(await findLargestLapsingFee(database.db, chain)).toEqual({ token: null, amountBase: 5n });
});
