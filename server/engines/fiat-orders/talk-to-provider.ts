import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { markAmbiguous, readTalk, recordOrdering, restOrder, type Talk } from "#db/queries/fiat/fiat-work.ts";
import { SYSTEM } from "#domain/access.ts";
import type { ProviderWord } from "#domain/fiat.ts";
import { type FiatAnswer, type FiatRail, Rejected, Unreachable } from "#server/ports.ts";
import { applyProviderUpdate } from "#server/services/fiat/apply-provider-update.ts";
import type { FiatEngine, LeasedOrder } from "./engine.ts";
import { restWhileHalted } from "./rest-while-halted.ts";

/** How long a provider may take to call back about an accepted order before it is asked. */
const SILENCE_SECONDS = 3_600;
/** How long to ask about a refused order that an earlier try may have delivered, before it becomes an operator's case. */
const DOUBT_SECONDS = 3_600;
/** Delays before an unreachable provider is tried again; the last one repeats for ever. */
const PAUSES_SECONDS = [2, 5, 15, 60, 300] as const;

/**
 * `lost`: another worker has the order. `doubtful`: refused and unknown, though an earlier try may have arrived. `forgotten`: it was
 * accepted. `absent`: it is not there, and will not be submitted any more.
 */
type Said = FiatAnswer | { status: "lost" | "doubtful" | "forgotten" | "absent" };

/** When an order ends that the provider has not settled (business time), whether that time has come, and what ends it. */
export type Ending = { at: Date; isOver: boolean; end(): Promise<void> };

/** Why an order waits whose provider this installation no longer knows: it is an operator's case, and never another provider's. */
export function notConfigured(provider: string): string {
  return `No fiat provider named ${provider} is configured, and the order began with it.`;
}

/** An order in the worker's hands, and the rail of the provider that it is with. */
type Talking = LeasedOrder & { rail: FiatRail };

/**
 * Calls the order's provider about a due order. It submits the order until it is accepted, and afterwards only asks for its status: an
 * accepted order is never submitted again, whatever the provider says. Its answers are processed like its callbacks. Silence is never an
 * answer, and a refusal counts only if no earlier try may have arrived. If the outcome is unknown, an operator must find out. An order that
 * expires is asked about once more, and ends when the provider says that nothing has happened; its silence ends nothing. If its provider is
 * no longer configured, an operator decides.
 */
export async function talkToProvider(
  engine: FiatEngine,
  held: LeasedOrder,
  { provider }: { provider: string },
  give: (rail: FiatRail) => Promise<FiatAnswer>,
  ending: Ending | null = null,
): Promise<FiatAnswer | null> {
  const isOver = ending?.isOver === true;
  const { db } = engine.ctx;
  const { table, lease } = held;
  const talk = await readTalk(db, table, lease.id);
  engine.step("order_read", lease.id);
  const rail = engine.rails.of(provider);
  if (rail === null) {
    await handOver(engine, held, notConfigured(provider));
    return null;
  }
  if (talk.acceptedAt === null && !isOver && (await restWhileHalted(engine, held, provider))) return null;
  const talking = { ...held, rail };
  let said: Said;
  try {
    said =
      talk.acceptedAt === null && !isOver ? await giveOrder(engine, talking, talk, () => give(rail)) : await lookUp(engine, talking, talk);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    engine.ctx.log.warn({ order_id: lease.id, err: error }, "the fiat provider says nothing about an order");
    await pause(engine, held, talk, { reason: "The fiat provider cannot be reached.", refused: error instanceof UnreachableOnceRefused });
    return null;
  }
  engine.step("answered", lease.id);
  const answer = await take(engine, held, talk, { said, ending });
  engine.step("written", lease.id);
  return answer;
}

type Heard = { said: Said; ending: Ending | null };

async function take(engine: FiatEngine, held: LeasedOrder, talk: Talk, { said, ending }: Heard): Promise<FiatAnswer | null> {
  const { table, lease } = held;
  if (ending?.isOver && (said.status === "pending" || said.status === "absent")) {
    await ending.end();
    return null;
  }
  switch (said.status) {
    case "lost":
    case "absent":
      return null;
    case "forgotten":
      await handOver(engine, held, "The provider had taken it, and now says that it does not know it.");
      return null;
    case "doubtful":
      if ((talk.givenSecondsAgo ?? 0) >= DOUBT_SECONDS) {
        await handOver(engine, held, "The provider refuses it, and may have it from an earlier try that it never answered.");
      } else {
        await pause(engine, held, talk, { reason: "The provider refuses it, and may have it from an earlier try: it is asked again." });
      }
      return null;
    case "pending":
      await restOrder(engine.ctx.db, table, lease, {
        seconds: SILENCE_SECONDS,
        reason: null,
        accepted: { reference: said.reference },
        notAfter: ending?.at ?? null,
        tried: false,
      });
      return said;
    default:
      await write(engine, held, talk.acceptedAt === null ? "answer" : "look_up", said);
      return said;
  }
}

type Asked = { orderId: string; trace: string | null };

/** Asks the provider, as a span of the order's trace, or of a new trace if the order has none. */
async function asking<Answer>(engine: FiatEngine, what: string, { orderId, trace }: Asked, call: () => Promise<Answer>): Promise<Answer> {
  const about = { within: trace ?? "begins", kind: "client", attributes: { "settlement.order_id": orderId } } as const;
  return await engine.ctx.tracer.span(`provider.${what}`, about, call);
}

/** An order that was never submitted is not there, and need not be asked about. */
async function lookUp(engine: FiatEngine, { rail, lease }: Talking, { acceptedAt, givenSecondsAgo, trace }: Talk): Promise<Said> {
  const orderId = lease.id;
  const isThere = acceptedAt !== null || givenSecondsAgo !== null;
  const known = isThere ? await asking(engine, "look_up", { orderId, trace }, () => rail.lookUp(orderId)) : null;
  return known ?? { status: acceptedAt === null ? "absent" : "forgotten" };
}

/**
 * The submission is recorded first: a worker that dies in between counts as having submitted it. A first refusal counts unless the
 * provider, when asked, says that it has the order; a later one never counts by itself.
 */
async function giveOrder(engine: FiatEngine, { table, lease, rail }: Talking, talk: Talk, give: () => Promise<FiatAnswer>): Promise<Said> {
  if (!(await recordOrdering(engine.ctx.db, table, lease))) return { status: "lost" };
  engine.step("giving_noted", lease.id);
  const asked = { orderId: lease.id, trace: talk.trace };
  try {
    return await asking(engine, table === "withdrawals" ? "pay_out" : "collect", asked, give);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const first = talk.givenSecondsAgo === null;
    const known = await asking(engine, "look_up", asked, () => rail.lookUp(lease.id)).catch((silence: unknown) => {
      throw first && silence instanceof Unreachable ? new UnreachableOnceRefused(silence.message) : silence;
    });
    if (known !== null) return known;
    return first ? { status: "failed", reference: null, reason: error.message, instructions: null } : { status: "doubtful" };
  }
}

/** It refused the first try, and did not answer the question: the next try counts as a first one again. */
class UnreachableOnceRefused extends Unreachable {}

async function pause(engine: FiatEngine, { table, lease }: LeasedOrder, { tries }: Talk, why: { reason: string; refused?: boolean }) {
  const seconds = PAUSES_SECONDS[Math.min(tries, PAUSES_SECONDS.length - 1)] ?? 0;
  await restOrder(engine.ctx.db, table, lease, { seconds, ...why, tried: true });
}

/** From now on the worker does nothing for it. Only the provider's final word, or an operator who found it out, moves it. */
async function handOver({ ctx }: FiatEngine, { table, lease }: LeasedOrder, reason: string): Promise<void> {
  const action = table === "withdrawals" ? "withdrawal.ambiguous" : "topup.ambiguous";
  const marked = await ctx.db.transaction(async (tx) => {
    if (!(await markAmbiguous(tx, table, lease, reason))) return false;
    await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action, objectId: lease.id, reason, change: {} });
    return true;
  });
  if (marked) ctx.log.error({ order_id: lease.id, reason }, "an order needs an operator");
}

async function write(engine: FiatEngine, { table, lease }: LeasedOrder, source: "answer" | "look_up", word: ProviderWord): Promise<void> {
  const kind = table === "withdrawals" ? "withdrawal" : "topup";
  const { status, reference, reason } = word;
  const { effect } = await engine.ctx.db.transaction((tx) =>
    applyProviderUpdate(tx, engine.ctx, {
      provider: null,
      kind,
      orderId: lease.id,
      source,
      word: { status, reference, reason },
      body: null,
    }),
  );
  engine.ctx.log.info({ order_id: lease.id, status, reference, source, effect }, "the fiat provider reported how an order ended");
}
