import { afterAll, beforeAll, expect, it } from "vitest";
import * as real from "#db/queries/transfers/lapsing-attempts.ts";
import { advanceLapsing, allowsLapsing, isOpenLapsing, LAPSING_LIFECYCLE, type LapsingActionType } from "#domain/lapsing.ts";
import { seeded } from "#fault/random.ts";
import { newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { layTables, makeTables } from "./rows.ts";
import { realSide, type Side, simulatedSide } from "./same-answers.ts";

const CHAIN = "lapsing:1";
const ADDRESS = "0xtreasury";
const CALLS = 250;
/** Long ago or far away: how long a call takes plays no part. */
const FAR = 1_000_000;
const NOW = new Date(Date.now() - 3_600_000);
const SEED = process.env.SEED ?? new Date().toISOString().slice(0, 10);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  layTables(makeTables());
});
afterAll(() => database.close());

/** The statements of the engine, in either database. */
type Lapsing = typeof real;

it(`answers as PostgreSQL does to ${CALLS} seeded calls about attempts that lapse (seed ${SEED})`, async () => {
  const random = seeded(`lapsing ${SEED}`);
  const first = realSide(database.db);
  const sides: [Side & { lapsing: Lapsing }, Side & { lapsing: Lapsing }] = [
    { ...first, lapsing: real },
    { ...simulatedSide(random), lapsing: simulatedSide(random).queries as unknown as Lapsing },
  ];
  const both = async <Answer>(what: string, ask: (side: (typeof sides)[number]) => Promise<Answer>): Promise<Answer> => {
    const [said, simulated] = [await ask(sides[0]), await ask(sides[1])];
    expect(simulated, what).toEqual(said);
    return said;
  };
  for (const side of sides) side.walletId = await side.queries.ensureWallet(side.db, { chain: CHAIN, address: ADDRESS, now: NOW });
  const plain = {
    chain: CHAIN,
    currency: "USDT",
    tokenAddress: "0xusd",
    tokenDecimals: 6,
    recipient: "0xb0",
    purpose: "settlement",
    partnerId: null,
  } as const;
  const owed = Array.from({ length: 6 }, (_, index) =>
    newTransfer({ ...plain, ownerId: `tx_${index}`, amountBase: 5n + BigInt(index), now: NOW }),
  );
  for (const one of owed) for (const side of sides) await side.queries.oweTransfer(side.db, one);

  const attempts = new Map<string, real.LapsingRow["state"]>();
  const calls: Record<string, () => Promise<unknown>> = {
    async insert() {
      const transfer = random.pick(owed);
      const id = random.chance(0.1) ? (attempts.keys().next().value ?? "0x0") : `0x${attempts.size}`;
      const expiry = random.chance(0.5) ? { expiryHeight: 7, expiryAt: null } : { expiryHeight: null, expiryAt: NOW };
      const outcome = await both(`insert ${id}`, async ({ db, lapsing, walletId }) => {
        const bytes = { signedBytes: "s", unsignedBytes: "u", afterHeight: 3, feeToken: null, feeAtMost: 2n, signedAt: NOW };
        try {
          await db.transaction((tx) => lapsing.insertLapsingAttempt(tx, { id, transferId: transfer.id, walletId, ...bytes, ...expiry }));
          return "stored";
        } catch {
          return "refused";
        }
      });
      if (outcome === "stored") attempts.set(id, "stored");
    },
    async move() {
      if (attempts.size === 0) return;
      const [id, state] = random.pick([...attempts]);
      const action = random.pick(Object.keys(LAPSING_LIFECYCLE) as LapsingActionType[]);
      if (!allowsLapsing(state, action)) return;
      const to = advanceLapsing(state, action);
      const block =
        to === "seen" || to === "paid" || to === "failed"
          ? { blockNumber: random.below(30), blockHash: "0xb" }
          : { blockNumber: null, blockHash: null };
      await both(`${action} ${id}`, ({ db, lapsing }) =>
        db.transaction(async (tx) => {
          const locked = await lapsing.lockLapsingAttempt(tx, id);
          await lapsing.saveLapsingAttempt(tx, {
            id,
            state: to,
            sentAt: locked?.sentAt ?? NOW,
            ...block,
            endedAt: isOpenLapsing(to) ? null : NOW,
          });
          return locked?.state;
        }),
      );
      attempts.set(id, to);
    },
    async take() {
      // Which of equally old ones are taken is not decided: all of them.
      const againInMs = random.chance(0.4) ? FAR : -FAR;
      await both("take", async ({ db, lapsing }) => {
        const taken = await lapsing.takeDueLapsing(db, CHAIN, { limit: 1_000, againInMs });
        return taken.map(({ attempt: { id, number, state }, transfer }) => `${id} ${number} ${state} ${transfer.ownerId}`).sort();
      });
    },
    claims: () => {
      const above = random.below(30);
      return both("claims", async ({ db, lapsing }) => {
        const claims = await lapsing.listLapsingClaims(db, CHAIN, { wallet: ADDRESS, above });
        return claims
          .map(({ id, token, amountBase, feeToken, feeAtMost }) => `${id} ${token} ${amountBase} ${feeToken} ${feeAtMost}`)
          .sort();
      });
    },
    has: () => {
      const id = `0x${random.below(attempts.size + 2)}`;
      return both(`has ${id}`, ({ db, lapsing }) => lapsing.hasLapsingAttempt(db, id));
    },
    after: () => {
      const [from, limit] = [`0x${random.below(attempts.size + 2)}`, 1 + random.below(5)];
      return both(`after ${from}`, async ({ db, lapsing }) => {
        const listed = await lapsing.listLapsingAfter(db, from, limit);
        return listed.map(({ attempt, transfer, walletAddress }) => `${attempt.id} ${attempt.state} ${transfer.ownerId} ${walletAddress}`);
      });
    },
    open: () => both("open", ({ db, lapsing }) => lapsing.hasOpenLapsing(db, CHAIN)),
    wallet: () =>
      both("wallet", ({ db, lapsing, walletId }) =>
        db.transaction(async (tx) => [
          (await lapsing.lockPayingWallet(tx, CHAIN, ADDRESS)) === walletId,
          await lapsing.lockPayingWallet(tx, CHAIN, "0xother"),
        ]),
      ),
  };
  const met = new Set<string>();
  for (let call = 0; call < CALLS; call += 1)
    await calls[random.pick(["insert", "insert", "move", "move", "move", "take", "claims", "open", "wallet", "has", "after"])]?.();
  for (const state of attempts.values()) met.add(state);
  expect([...met]).toEqual(expect.arrayContaining(["paid", "lapsed"]));
});
