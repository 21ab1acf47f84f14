import { readTalk, restOrder } from "#db/queries/fiat-work.ts";
import type { ProviderWord } from "#server/domain/fiat.ts";
import { type FiatAnswer, Rejected, Unreachable } from "#server/ports.ts";
import type { FiatEngine, HeldOrder } from "./engine.ts";
import { hearProvider } from "./hear-provider.ts";

/** A provider that has taken an order is left to call us for so long, and then asked. */
const SILENCE_SECONDS = 3_600;
/** Pauses before a provider that cannot be reached is spoken to again; the last is repeated for ever. */
const PAUSES_SECONDS = [2, 5, 15, 60, 300] as const;

/**
 * Speaks to the provider about an order that is its turn: gives it, until it was once accepted, and afterwards asks how it stands.
 * Giving an order again is harmless, because it goes under our id; what the provider then says is taken like a call of its own.
 * Silence is never an answer.
 */
export async function talkToProvider(engine: FiatEngine, held: HeldOrder, give: () => Promise<FiatAnswer>): Promise<FiatAnswer | null> {
  const { db } = engine.ctx;
  const { table, lease } = held;
  const { acceptedAt, tries } = await readTalk(db, table, lease.id);
  engine.step("order_read", lease.id);
  let answer: FiatAnswer | null;
  try {
    answer = acceptedAt === null ? await giveOrder(engine, lease.id, give) : await engine.rail.lookUp(lease.id);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    engine.ctx.log.warn({ order_id: lease.id, err: error }, "the fiat provider tells nothing about an order");
    const seconds = PAUSES_SECONDS[Math.min(tries, PAUSES_SECONDS.length - 1)] ?? 0;
    await restOrder(db, table, lease, { seconds, reason: "The fiat provider cannot be reached.", tried: true });
    return null;
  }
  engine.step("answered", lease.id);
  if (answer === null) {
    engine.ctx.log.warn({ order_id: lease.id }, "the fiat provider does not know an order that it had taken: it is given again");
    await restOrder(db, table, lease, { seconds: 0, reason: null, forgotten: true, tried: true });
  } else if (answer.status === "pending") {
    const { reference } = answer;
    await restOrder(db, table, lease, { seconds: SILENCE_SECONDS, reason: null, accepted: { reference }, tried: false });
  } else {
    await write(engine, held, acceptedAt === null ? "answer" : "look_up", answer);
  }
  engine.step("written", lease.id);
  return answer;
}

/** A refusal is believed unless the provider, asked, says that it has the order: an earlier try may have reached it after all. */
async function giveOrder({ rail }: FiatEngine, orderId: string, give: () => Promise<FiatAnswer>): Promise<FiatAnswer> {
  try {
    return await give();
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return (await rail.lookUp(orderId)) ?? { status: "failed", reference: null, reason: error.message, instructions: null };
  }
}

async function write(engine: FiatEngine, { table, lease }: HeldOrder, source: "answer" | "look_up", word: ProviderWord): Promise<void> {
  const kind = table === "withdrawals" ? "withdrawal" : "topup";
  const { status, reference, reason } = word;
  const effect = await engine.ctx.db.transaction((tx) =>
    hearProvider(tx, { kind, orderId: lease.id, source, word: { status, reference, reason }, body: null }),
  );
  engine.ctx.log.info({ order_id: lease.id, status, reference, source, effect }, "the fiat provider told how an order ended");
}
