import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { DAY_SECONDS, HOUR_SECONDS, LIMIT_PURPOSES, type LimitPurpose, type LimitTerms } from "#domain/exposure-limit.ts";
import type { Transfer, TransferPurpose } from "#domain/transfer.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { type LimitedBench, openLimitedBench } from "#testing/limited-payments.ts";

/** What limits say of everything that is paid: each purpose by each kind of limit. */

let bench: LimitedBench;
const PURPOSE = { settlement: "settlement", topup: "topup", withdrawal: "sweep", return: "return" } as const satisfies Record<
  LimitPurpose,
  TransferPurpose
>;

beforeAll(async () => {
  bench = await openLimitedBench();
});
afterEach(() => bench.noLimits());
afterAll(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  await bench.close();
});

const atto = ({ amountBase }: Transfer) => amountBase * 10n ** 12n;
const COUNTING = { amountAtto: 0n, windowSeconds: HOUR_SECONDS } as const;
/** Each limit holds every payment that it concerns. */
const KINDS = {
  "by partner, an hour": { countedBy: "partner", ...COUNTING },
  "by partner, a day": { countedBy: "partner", amountAtto: 0n, windowSeconds: DAY_SECONDS },
  "by pair": { countedBy: "pair", ...COUNTING, sourceCurrency: "KES", destinationCurrency: "USDT" },
  "by destination": { countedBy: "destination", ...COUNTING },
  "by member": { countedBy: "member", ...COUNTING },
  "by the whole": { countedBy: "all", ...COUNTING },
  "by wallet": { kind: "wallet", ...COUNTING },
  "credit line": { kind: "credit_line", amountAtto: 0n, sourceCurrency: "KES" },
  "new destination": { kind: "new_destination", waitSeconds: DAY_SECONDS },
  "new key": { kind: "new_key", waitSeconds: DAY_SECONDS },
  "allow-list": { kind: "allow_list", addresses: ["0x00000000000000000000000000000000000000aa"] },
} as const satisfies Record<string, Partial<LimitTerms>>;
type Kind = keyof typeof KINDS;

/** What a kind says nothing of. */
const NOTHING_SAID: Record<LimitPurpose, readonly Kind[]> = {
  settlement: ["by member"],
  topup: ["credit line"],
  withdrawal: ["by wallet", "credit line"],
  return: ["credit line", "new destination", "new key", "allow-list"],
};

describe.each(LIMIT_PURPOSES)("a %s", (purpose) => {
  const kinds = Object.keys(KINDS) as Kind[];

  it.each(kinds.filter((kind) => !NOTHING_SAID[purpose].includes(kind)))(
    "is held by a limit %s, and by one that names its purpose",
    async (kind) => {
      const id = await bench.limit(KINDS[kind]);
      const held = await bench.enqueuePayment[purpose]();
      expect(await bench.judge(held)).toEqual([held.id]);
      expect(await listHoldsOf(bench.db, [held.ownerId])).toMatchObject([
        { purpose: PURPOSE[purpose], check: "limit", keys: [id], outcome: "open" },
      ]);
      expect(await bench.counted(id)).toBe(0n);
      await bench.noLimits();
      const own = await bench.limit({ ...KINDS[kind], purpose });
      const again = await bench.enqueuePayment[purpose]();
      expect(await bench.judge(again)).toEqual([again.id]);
      expect((await listHoldsOf(bench.db, [again.ownerId])).map(({ keys }) => keys)).toEqual([[own]]);
    },
  );

  it.each(NOTHING_SAID[purpose])("is no business of a limit %s", async (kind) => {
    await bench.limit(KINDS[kind]);
    expect(await bench.judge(await bench.enqueuePayment[purpose]())).toEqual([]);
  });

  it("is no business of limits that name another purpose", async () => {
    for (const other of LIMIT_PURPOSES) if (other !== purpose) await bench.limit({ countedBy: "partner", ...COUNTING, purpose: other });
    expect(await bench.judge(await bench.enqueuePayment[purpose]())).toEqual([]);
  });

  it("counts with its token, up to the last unit of the room, for its partner, its pair, its destination, its member and the whole", async () => {
    const [one, ...more] = await sameAmount(purpose, 3);
    const room = 2n * (one === undefined ? 0n : atto(one));
    const by = ["partner", "pair", "destination", "all", ...(purpose === "settlement" ? [] : (["member"] as const))] as const;
    const ids: string[] = [];
    for (const countedBy of by) ids.push(await bench.limit({ countedBy, windowSeconds: HOUR_SECONDS, amountAtto: room }));
    const all = one === undefined ? [] : [one, ...more];
    expect(await bench.judge(...all)).toEqual([all[2]?.id]);
    for (const id of ids) expect(await bench.counted(id)).toBe(room);
  });

  it("never exceeds a ceiling that several reach at once", async () => {
    const all = await sameAmount(purpose, 6);
    const room = 2n * all.slice(0, 1).reduce((sum, transfer) => sum + atto(transfer), 0n);
    const id = await bench.limit({ countedBy: "partner", windowSeconds: DAY_SECONDS, amountAtto: room });
    const held = (await Promise.all(all.map((transfer) => bench.judge(transfer)))).flat();
    expect(held).toHaveLength(4);
    expect(await bench.counted(id)).toBe(room);
  });
});

async function sameAmount(purpose: LimitPurpose, count: number): Promise<Transfer[]> {
  const made: Transfer[] = [];
  for (let each = 0; each < count; each += 1) made.push(await bench.enqueuePayment[purpose]());
  return made;
}

describe("a limit without a purpose", () => {
  it("counts all purposes together, as the token that each moves", async () => {
    const id = await bench.limit({ countedBy: "pair", windowSeconds: DAY_SECONDS, timesMaximum: 10 });
    const all = [];
    for (const purpose of LIMIT_PURPOSES) all.push(await bench.enqueuePayment[purpose]());
    for (const transfer of all) expect(await bench.judge(transfer)).toEqual([]);
    // The return's withdrawal was swept without being judged here.
    expect(await bench.counted(id)).toBe(all.reduce((sum, transfer) => sum + atto(transfer), 0n));
  });

  it("gives way to the one that names the purpose, which counts by itself", async () => {
    const whole = await bench.limit({ countedBy: "partner", windowSeconds: HOUR_SECONDS, amountAtto: 0n });
    const own = await bench.limit({ countedBy: "partner", windowSeconds: HOUR_SECONDS, amountAtto: 10n ** 24n, purpose: "withdrawal" });
    const [payout, topup] = [await bench.enqueuePayment.withdrawal(), await bench.enqueuePayment.topup()];
    expect(await bench.judge(payout, topup)).toEqual([topup.id]);
    expect([await bench.counted(whole), await bench.counted(own)]).toEqual([0n, atto(payout)]);
  });
});
