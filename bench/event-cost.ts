import type { Database } from "#db/client.ts";
import { insertSettlements, saveSettlements, type Written } from "#db/queries/settlements/write-settlements.ts";
import { inTransaction } from "#db/transaction.ts";
import type { By } from "#domain/access.ts";
import { decimal } from "#domain/decimal.ts";
import { newId } from "#domain/ids.ts";
import type { Settlement } from "#domain/settlement.ts";
import { settlementEvent } from "#server/services/events/event-of.ts";
import { addPartner, addTerms, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import type { BenchServer } from "#testing/stage/database.ts";
import { nanosecondsOf } from "./processes.ts";
import { table } from "./report.ts";
import { median } from "./rounds.ts";

/** One settlement without an event takes the statement of several, so both sides write several. */
const AT_ONCE = 2;
const GOAL = "≤ 150";
const LIFE = ["created", "confirmed", "executed"] as const;

type Step = (typeof LIFE)[number];
type Made = TestPartner & { terms: string };

/**
 * What the three events of a settlement's life take of PostgreSQL's CPU: the statements that write a settlement as created, confirmed and
 * executed, with its events and without, in turns.
 */
export async function measureEventCost(server: BenchServer, { rounds, lives }: { rounds: number; lives: number }): Promise<string> {
  return await server.withDatabase(async ({ db }) => {
    const made = { ...(await addPartner(db)), terms: await addTerms(db) };
    const [withEvents, without]: [number[], number[]] = [[], []];
    // The first round warms up.
    for (let round = -1; round < rounds; round += 1) {
      const sides = [
        { figures: withEvents, events: true },
        { figures: without, events: false },
      ];
      for (const { figures, events } of round % 2 === 0 ? sides : sides.toReversed()) {
        const cost = await costOfLife(db, made, { lives, events });
        if (round >= 0) figures.push(cost);
      }
    }
    const events = withEvents.map((cost, round) => cost - (without[round] ?? 0));
    const lines = [
      ["with its events", shown(withEvents), ""],
      ["without", shown(without), ""],
      ["its events", shown(events), GOAL],
    ];
    return table(["A settlement's life", "PostgreSQL µs", "goal"], lines);
  });
}

const shown = (figures: readonly number[]) =>
  `${median(figures).toFixed(0)} (${Math.min(...figures).toFixed(0)}–${Math.max(...figures).toFixed(0)})`;

/** In microseconds. */
async function costOfLife(db: Database, made: Made, { lives, events }: { lives: number; events: boolean }): Promise<number> {
  const before = nanosecondsOf("PostgreSQL");
  for (let life = 0; life < lives; life += AT_ONCE) {
    const settlements = Array.from({ length: AT_ONCE }, () => settlementOf(made));
    for (const step of LIFE) {
      const written = settlements.map((settlement) => writtenOf(at(settlement, step), step, { by: made.by, events }));
      await inTransaction(db, (tx) => (step === "created" ? insertSettlements(tx, written) : saveSettlements(tx, written)));
    }
  }
  return (nanosecondsOf("PostgreSQL") - before) / 1_000 / lives;
}

function writtenOf(settlement: Settlement, step: Step, { by, events }: { by: By; events: boolean }): Written {
  const now = new Date();
  const action = `settlement.${step}` as const;
  return {
    settlement,
    entry: { by, partnerId: settlement.partnerId, action, objectId: settlement.id, change: { status: settlement.status }, now },
    event: events ? settlementEvent(action, settlement, now) : null,
  };
}

function at(settlement: Settlement, step: Step): Settlement {
  if (step === "created") return settlement;
  const { id, createdAt } = settlement;
  const confirmed = { externalTxId: id, callbackUrl: "https://shop.example/callbacks", confirmedAt: createdAt };
  if (step === "confirmed") return { ...settlement, ...confirmed, status: "processing" };
  return { ...settlement, ...confirmed, status: "executed", txHash: `0x${"a".repeat(64)}`, executedAt: createdAt };
}

function settlementOf({ partnerId, apiKeyId, terms }: Made): Settlement {
  const createdAt = new Date();
  return {
    id: newId("settlement", createdAt),
    partnerId,
    apiKeyId,
    batchId: null,
    status: "quoted",
    approvalState: null,
    externalTxId: null,
    externalMerchantId: "shop-0001",
    sourceAmountMinor: 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    chain: TEST_CHAIN.chain,
    walletAddress: `0x${"b".repeat(40)}`,
    tokenAddress: TEST_CHAIN.tokens[1]?.address ?? null,
    tokenDecimals: 6,
    quote: {
      version: 1,
      exchangeRate: decimal("0.0077"),
      midRate: decimal("0.0077"),
      spreadBps: 0,
      rateSource: "bench",
      rateAsOf: createdAt,
      pairTermsId: terms,
      grossBase: 77_000_000n,
      platformFeeBase: 500_000n,
      destinationAmountBase: 76_500_000n,
      pricedAt: createdAt,
      expiresAt: new Date(createdAt.getTime() + 60_000),
    },
    creationCallbackUrl: null,
    callbackUrl: null,
    createdAt,
    confirmedAt: null,
    cancelledAt: null,
    approvalDecidedAt: null,
    trace: null,
    rejectionReason: null,
    txHash: null,
    executedAt: null,
    failureReason: null,
    failedAt: null,
    metadata: null,
  };
}
