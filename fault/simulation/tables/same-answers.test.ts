import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { advanceTransfer, allowsTransfer, type Transfer, type TransferAction } from "#domain/transfer.ts";
import { type Random, seeded } from "#fault/random.ts";
import { newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { layTables, makeTables, tables } from "./rows.ts";
import { realSide, type Side, simulatedSide } from "./same-answers.ts";

const CHAIN = "eip155:1";
const ADDRESS = `0x${"aa".repeat(20)}`;
const TOKEN = `0x${"70".repeat(20)}`;
const CALLS = 600;
/** Long ago or far away: how long a call takes plays no part. */
const FAR = 1_000_000;

let database: TestDatabase;
let sides: readonly [Side, Side];
let random: Random;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  layTables(makeTables());
  await database.sql`delete from callback_attempts`;
  await database.sql`delete from callbacks`;
});
afterAll(() => database.close());

/** Asks both the same, and answers what they agree on. */
async function both<Answer>(what: string, ask: (side: Side) => Promise<Answer>): Promise<Answer> {
  const [real, simulated] = [await ask(sides[0]), await ask(sides[1])];
  expect(simulated, what).toEqual(real);
  return real;
}

const past = (calls: number) => new Date(Date.now() - 3_600_000 + calls);
const far = () => (random.chance(0.5) ? FAR : -FAR);
const some = <One>(list: readonly One[], most: number) => random.shuffled(list).slice(0, 1 + random.below(most));
const ids = () => [...tables().transfers.rows.keys()].sort();
const inState = (...states: Transfer["state"][]) =>
  [...tables().transfers.rows.values()].filter(({ transfer }) => states.includes(transfer.state)).map(({ transfer }) => transfer);
const transactionIds = () => [...tables().transactions.rows.keys()].sort();
const hashes = () => [...tables().attempts.rows.keys()].sort();
const sorted = (list: Iterable<string>) => [...list].sort();

const uuid = () => random.hex(16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
/** In the order of their making. */
const ownId = (kind: string) => `${kind}_${String(made).padStart(26, "0")}`;

/** What matters of an open transaction; the instants of looks are each database's own. */
const shown = ({ id, nonce, spentHeight, transfer, attempts }: OpenTransaction) => ({
  id,
  nonce,
  spentHeight,
  transfer: rowOf(transfer),
  attempts: attempts.map(({ hash, number, kind, rawBytes, broadcastAt }) => ({
    hash,
    number,
    kind,
    rawBytes,
    isSent: broadcastAt !== null,
  })),
});
const rowOf = ({ id, state, txHash, blockNumber, blockHash, waitingReason, reviewReason, failureReason }: Transfer) => ({
  id,
  state,
  txHash,
  blockNumber,
  blockHash,
  waitingReason,
  reviewReason,
  failureReason,
});

let made = 0;
/** That it has been about something. */
const met = new Set<string>();
/** What the engines do to one transfer between two of its states, each in a transaction as they do it. */
async function move(transfer: Transfer, type: TransferAction["type"]): Promise<void> {
  if (!allowsTransfer(transfer.state, type)) return;
  made += 1;
  const now = past(made);
  const own = [...tables().transactions.rows.values()].find((row) => row.transferId === transfer.id && !row.isSuperseded);
  const attempts = hashes().filter((hash) => tables().attempts.rows.get(hash)?.attempt.transactionId === own?.id);
  const block = { txHash: attempts.at(-1) ?? `0x${made}`, blockNumber: 10 + random.below(40), blockHash: `0xb${made}` };
  const action = { type, reason: `Because of ${made}.`, ...block } as TransferAction;
  const [number, id, nonce] = [made, ownId("tx"), nextNonce() + (random.chance(0.1) ? 1 : 0)];
  if (type === "sign" && own !== undefined) return;
  await both(`${type} ${transfer.id}`, ({ db, queries, walletId }) =>
    db.transaction(async (tx) => {
      const [locked] = await queries.lockTransfers(tx, [transfer.id]);
      if (locked === undefined) throw new Error("it is lost");
      if (type === "sign") {
        const intent = { to: TOKEN, valueBase: 5n, data: "0x" };
        await queries.insertTransactions(
          tx,
          [{ id, transferId: transfer.id, walletId, nonce, intent, intentHash: "0x", createdAt: now }],
          FAR,
        );
        await queries.insertAttempts(tx, [attemptOf(id, number, 1, now)]);
      }
      if (type === "retry") await queries.supersedeTransaction(tx, transfer.id, now);
      if (type === "retry" || type === "execute" || type === "fail") {
        const hash = transfer.txHash ?? "";
        const fee = { id: hash, hash, chain: CHAIN, transferId: transfer.id, blockNumber: transfer.blockNumber ?? 0 };
        await queries.insertNetworkFees(tx, [{ ...fee, gasUsed: 1n, feeBase: 7n, bookedAt: now }]);
      }
      if (type === "broadcast") await queries.markBroadcast(tx, attempts, now);
      await queries.saveTransfers(tx, [advanceTransfer(locked, action, now)], now);
    }),
  );
}

const nextNonce = () => [...tables().transactions.rows.values()].reduce((next, { nonce }) => Math.max(next, nonce + 1), 0);

function attemptOf(transactionId: string, tag: number, number: number, signedAt: Date) {
  const fees = { maxFeePerGas: BigInt(10 + number), maxPriorityFeePerGas: 1n, gasLimit: 21n };
  const kind = number > 1 && random.chance(0.3) ? ("cancellation" as const) : ("payment" as const);
  return { transactionId, number, kind, hash: `0xh${tag}`, rawBytes: `0xr${tag}`, ...fees, signedAt };
}

const MOVES = ["sign", "broadcast", "mine", "mine", "reorganise", "execute", "execute", "fail", "retry", "retry", "review"] as const;

/** Each: one call, or one transaction, of those that the payments engine makes. */
const ACTIONS: readonly (() => Promise<unknown>)[] = [
  async () => {
    made += 1;
    const [old] = ids();
    const ownerId = random.chance(0.1) && old !== undefined ? (tables().transfers.rows.get(old)?.transfer.ownerId ?? "") : ownId("st");
    const payment = { purpose: "settlement", ownerId, partnerId: null, chain: CHAIN, currency: "USDT", tokenAddress: TOKEN } as const;
    const transfer = {
      ...newTransfer({ ...payment, tokenDecimals: 6, amountBase: BigInt(made), recipient: ADDRESS, now: past(made) }),
      id: ownId("tr"),
    };
    await both("owe", async ({ db, queries }) => (await queries.oweTransfer(db, transfer))?.id ?? null);
  },
  async () => {
    const { transfer } = random.pick([...tables().transfers.rows.values()]);
    const able = MOVES.filter((type) => allowsTransfer(transfer.state, type));
    if (able.length > 0) await move(transfer, random.pick(able));
  },
  async () => {
    const claim = {
      chain: CHAIN,
      wallets: { held: [], known: [] },
      token: uuid(),
      limit: 1 + random.below(4),
      seconds: far() / 1_000,
      left: random.chance(0.3)
        ? [random.chance(0.8) ? { tokenAddress: TOKEN, fromBase: BigInt(1 + random.below(made)) } : ("all" as const)]
        : [],
    };
    const claimed = await both("claim", async ({ db, queries }) => (await queries.claimQueuedTransfers(db, claim)).map(rowOf));
    if (claimed.length > 0) met.add("claimed");
  },
  async () => {
    const which = some(ids(), 3);
    const why = random.chance(0.7) ? ({ kind: "treasury_funding", reason: "Empty." } as const) : ({ kind: null } as const);
    const rest = { ...why, restMs: far() };
    await both("rest", ({ db, queries }) => queries.restTransfers(db, which, rest));
  },
  async () => {
    const trouble = random.chance(0.5) ? { reason: "Away." } : { over: "Away." };
    await both("trouble", ({ db, queries }) => queries.recordChainTrouble(db, CHAIN, trouble));
  },
  async () => {
    const held = [...tables().transfers.rows.values()].map(({ id, leaseToken }) => ({ id, token: leaseToken ?? uuid() }));
    const asked = some(held, 3).map((one) => (random.chance(0.2) ? { ...one, token: uuid() } : one));
    const seconds = far() / 1_000;
    if (random.chance(0.5))
      await both("renew", async ({ db, queries }) => sorted(await queries.renewLeases(db, "transfers", asked, seconds)));
    else await both("release", ({ db, queries }) => queries.releaseLeases(db, "transfers", asked));
  },
  async () => {
    const open = [...tables().transactions.rows.values()];
    if (open.length === 0) return;
    made += 1;
    const { id } = random.pick(open);
    const number = hashes().filter((hash) => tables().attempts.rows.get(hash)?.attempt.transactionId === id).length + 1;
    const attempt = attemptOf(id, made, number, past(made));
    await both("bump", ({ db, queries }) =>
      db.transaction(async (tx) => {
        await queries.insertAttempts(tx, [attempt]);
        await queries.postponeBump(tx, id, FAR);
      }),
    );
  },
  async () => {
    const [which, look] = [some(transactionIds(), 4), { inMs: far(), spentHeight: random.chance(0.5) ? 12 : null }];
    await both("look again", ({ db, queries }) => queries.lookAgain(db, which, look));
  },
  async () => {
    const which = some(ids(), 4);
    await both("look at once", ({ db, queries }) => queries.lookAtOnce(db, which));
  },
  async () => {
    const height = 10 + random.below(40);
    const lost = await both(`a deep fork to ${height}`, ({ db, queries }) =>
      db.transaction(async (tx) => {
        await queries.setNoncesOrphaned(tx, CHAIN, height, past(made));
        const gone = await queries.setOrphaned(tx, CHAIN, height, { reason: "Gone.", now: past(made) });
        return gone.map(rowOf).sort((one, other) => (one.id < other.id ? -1 : 1));
      }),
    );
    if (lost.length > 0) met.add("orphaned");
  },
  async () => {
    const [place] = some([...tables().places.rows.keys()], 1);
    if (place === undefined) return;
    await both("end a place", ({ db, queries }) =>
      db.transaction(async (tx) => [await queries.lockOrphanedNonce(tx, place), await queries.endOrphanedNonce(tx, place)]),
    );
  },
  async () => {
    const [place] = some(transactionIds(), 1);
    if (place !== undefined && random.chance(0.2))
      await both("note a place", ({ db, queries }) => queries.insertOrphanedNonces(db, [place], past(made)));
  },
  async () => {
    const [id] = some(
      inState("executed").map(({ id: one }) => one),
      1,
    );
    if (id === undefined) return;
    const block = { txHash: "0xother", blockNumber: 10 + random.below(40), blockHash: "0xagain", now: past(made) };
    await both("end orphaned", ({ db, queries }) => queries.endOrphaned(db, id, block));
  },
  async () => {
    const [owner, seconds] = [random.pick(["one", "two"]), far() / 1_000];
    await both("lease the wallet", async ({ db, queries, walletId }) => {
      const wallet = await queries.leaseWallet(db, { walletId, owner, seconds });
      return wallet && { owner: wallet.leaseOwner, token: wallet.fencingToken, nextNonce: wallet.nextNonce };
    });
  },
  async () => {
    const [owner, seconds] = [random.pick(["one", "two"]), far() / 1_000];
    await both("renew the wallet", ({ db, queries, walletId }) => queries.renewWallets(db, { walletIds: [walletId], owner, seconds }));
    await both("others' payers", async ({ db, queries }) =>
      (await queries.listOthersPayers(db, { chain: CHAIN, owner })).map((row) => row.nextNonce),
    );
    if (random.chance(0.3)) await both("release the wallet", ({ db, queries }) => queries.releaseWallets(db, { chain: CHAIN, owner }));
  },
  async () => {
    const wallet = [...tables().wallets.rows.values()][0]?.wallet;
    const [owner, fencingToken] = [random.pick(["one", "two"]), (wallet?.fencingToken ?? 0) - random.below(2)];
    const [from, count] = [wallet?.nextNonce ?? null, 1 + random.below(2)];
    await both("hold, spend and move", ({ db, queries, walletId }) =>
      db.transaction(async (tx) => {
        const lease = { walletId, owner, fencingToken };
        const isHeld = await queries.lockWalletLease(tx, lease);
        const isSpent = from === null ? null : await queries.spendNonces(tx, lease, { from, count, height: 3 });
        return [isHeld, isSpent, await queries.moveNonce(tx, lease, { from, to: (from ?? 0) + 1, height: 4 })];
      }),
    );
  },
];

/** All that is read, after every few calls. */
async function readAll(): Promise<void> {
  const [height, from, which] = [10 + random.below(40), random.below(5), some(ids(), 6)];
  const asked = [...some(hashes(), 5), "0xnobody's"];
  await both("due", async ({ db, queries, walletId }) => (await queries.listDueTransactions(db, walletId, 50)).map(shown));
  await both("unheld", async ({ db, queries }) => sorted((await queries.listUnheld(db, CHAIN, 50)).map(({ transferId }) => transferId)));
  await both("mined", async ({ db, queries }) => sorted((await queries.listMinedTransfers(db, CHAIN, height, 500)).map(({ id }) => id)));
  await both("mined above", async ({ db, queries }) => sorted(await queries.listMinedAbove(db, CHAIN, height)));
  await both("executed above", async ({ db, queries }) => sorted(await queries.listExecutedAbove(db, CHAIN, height)));
  const bytes = await both("mined places", async ({ db, queries, walletId }) =>
    (await queries.listMinedPlaces(db, walletId, from, from + 20, 9)).map(shown),
  );
  await both("sequences", async ({ db, queries }) => (await queries.listAllSequences(db, CHAIN)).map(({ nextNonce }) => nextNonce));
  await both("superseded places", async ({ db, queries }) =>
    (await Promise.all(which.map((id) => queries.listSupersededPlaces(db, id)))).map((places) =>
      places.map(shown).sort((one, other) => one.nonce - other.nonce),
    ),
  );
  await both("signed", async ({ db, queries }) =>
    (await queries.listSignedAfter(db, "", 50)).map(shown).sort((one, other) => one.nonce - other.nonce),
  );
  await both("in flight", ({ db, queries, walletId }) => queries.sumInFlight(db, walletId, height));
  await both("highest", ({ db, queries, walletId }) => queries.highestNonce(db, walletId));
  const missing = await both("missing", ({ db, queries, walletId }) =>
    queries.listMissingNonces(db, walletId, { from, below: from + 20 }, 9),
  );
  await both("orphaned", async ({ db, queries }) => await queries.listOrphaned(db, CHAIN, 50));
  const places = await both("places", async ({ db, queries }) =>
    (await queries.listOrphanedNonces(db, CHAIN)).map(({ transactionId }) => transactionId),
  );
  await both("open payments", async ({ db, queries }) => sorted((await queries.listOpenPayments(db, CHAIN)).map(({ id }) => id)));
  await both("fees", async ({ db, queries }) =>
    (await queries.listNetworkFees(db, asked)).sort((one, other) => (one.hash < other.hash ? -1 : 1)),
  );
  await both("own", async ({ db, queries }) =>
    (await queries.findOwnAttempts(db, asked)).sort((one, other) => (one.hash < other.hash ? -1 : 1)),
  );
  await both("of", async ({ db, queries }) =>
    (await queries.listTransactionsOf(db, which)).map(shown).sort((one, other) => one.nonce - other.nonce),
  );
  if (bytes.length > 0) met.add("bytes");
  if (places.length > 0) met.add("place");
  for (const { transactionId } of missing) met.add(transactionId === null ? "free nonce" : "nonce in vain");
  if (inState("failed").length > 0) met.add("failed");
  for (const id of which.slice(0, 2)) {
    await both("one", async ({ db, queries }) => rowOf((await queries.findTransfer(db, id)) as Transfer));
    if ((await both("superseded", ({ db, queries }) => queries.countSuperseded(db, id))) > 0) met.add("made again");
  }
}

describe("the in-memory tables answer as PostgreSQL does", () => {
  it("what the payments engine asks, call by call", async () => {
    random = seeded("same answers");
    sides = [realSide(database.db), simulatedSide(random.fork("steps"))];
    for (const side of sides)
      side.walletId = await side.queries.ensureWallet(side.db, { chain: CHAIN, address: ADDRESS, signer: "sandbox", now: past(0) });
    for (let call = 0; call < 4; call += 1) await ACTIONS[0]?.();
    for (let call = 0; call < CALLS; call += 1) {
      await random.pick([...ACTIONS, ACTIONS[0], ACTIONS[1], ACTIONS[1], ACTIONS[1], ACTIONS[1], ACTIONS[1], ACTIONS[1]])?.();
      if (call % 5 === 0) await readAll();
    }
    expect(sorted(met)).toEqual(["bytes", "claimed", "failed", "free nonce", "made again", "nonce in vain", "orphaned", "place"]);
  });

  it("which callbacks are claimed, under which number, and what is written of their ends", async () => {
    random = seeded("same callbacks");
    sides = [realSide(database.db), simulatedSide(random.fork("steps"))];
    const partners = [await addPartner(database.db), await addPartner(database.db)];
    const taken: { id: string; partnerId: string; token: string; series: number; number: number | null }[] = [];
    let all = 0;
    for (let call = 0; call < 400; call += 1) {
      made += 1;
      if (random.chance(0.4)) {
        const { partnerId, apiKeyId } = random.pick(partners);
        const queue = `${partnerId} https://${random.pick(["one", "two"])}.example`;
        const id = ownId("cb");
        const callback = {
          id,
          partnerId,
          apiKeyId,
          subjectId: `st_${made}`,
          event: "settlement.executed" as const,
          queue,
          url: `${queue.split(" ")[1]}/hook`,
          body: "{}",
        };
        await both("owe", ({ db, queries }) => queries.insertCallbacks(db, [callback as never], past(made)));
      } else if (random.chance(0.5)) {
        const closedPartners = random.chance(0.2) ? [partners[0]?.partnerId ?? ""] : [];
        const room = { limit: 1 + random.below(5), rooms: {}, otherwise: random.below(4), closedPartners };
        const token = uuid();
        const claimed = await both("claim", async ({ db, queries }) =>
          (await queries.claimDueCallbacks(db, token, room, new Date()))
            .map(({ id, partnerId, queue, url, series, number }) => ({ id, partnerId, queue, url, series, number }))
            .sort((one, other) => (one.id < other.id ? -1 : 1)),
        );
        all += claimed.length;
        taken.push(...claimed.map(({ id, partnerId, series, number }) => ({ id, partnerId, series, number, token })));
      } else {
        const ended = taken.splice(random.below(taken.length + 1), 1);
        const over = random.pick([
          { state: "delivered", nextNumber: null, dueInSeconds: null },
          { state: "pending", nextNumber: 2, dueInSeconds: 1_000 },
          // No two are due at the same instant.
          { state: "pending", nextNumber: 2, dueInSeconds: -1_000 * made },
          { state: null, nextNumber: null, dueInSeconds: null },
        ] as const);
        const nothing = {
          attemptId: null,
          requestHeaders: {},
          responseStatus: 200,
          responseHeaders: null,
          responseBody: null,
          responseBytes: null,
        };
        const rest = { ...nothing, agoMs: 1, durationMs: 1, timings: {}, errorKind: null, error: null, remoteAddress: null };
        const ends = ended.map((one) => ({
          ...one,
          ...over,
          ...rest,
          token: random.chance(0.2) ? uuid() : one.token,
          number: one.number,
        }));
        await both("settle", async ({ db, queries }) => sorted((await queries.settleAttempts(db, ends as never)).written));
      }
    }
    expect(all).toBeGreaterThan(50);
  });
});
