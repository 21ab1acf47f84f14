import { eq, isNull } from "drizzle-orm";
import { getAddress, keccak256, toHex } from "viem";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { saveOrigin } from "#db/queries/people/login-tries.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { partners } from "#db/schema/partners.ts";
import { users } from "#db/schema/people.ts";
import type { By } from "#domain/access.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { decimal, multiply, roundDownToDigits } from "#domain/decimal.ts";
import { newId } from "#domain/ids.ts";
import type { Settlement } from "#domain/settlement.ts";
import { CHAIN } from "#sandbox/chain/anvil.ts";
import { BLOCKED_WALLET } from "#sandbox/chain/tokens.ts";
import type { Context } from "#server/context.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import { createPartner } from "#server/services/partners/create-partner.ts";
import { listExchangeRates } from "#server/services/rates/read-rates.ts";
import { setFixedRate } from "#server/services/rates/set-fixed-rate.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { cancelSettlement } from "#server/services/settlements/cancel-settlement.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import type { PastClock } from "./past-clock.ts";
import { PARTNERS, type PlannedSettlement, type Wave } from "./plan.ts";
import type { Receivers } from "./receivers.ts";

type Begun = { planned: PlannedSettlement; settlement: Settlement };
/** The mid rates that the history ends with. */
type Market = Awaited<ReturnType<typeof listExchangeRates>>;
type Actors = { partners: { id: string; apiKeyId: string }[]; deciders: By[] };

/** Plays the waves one after the other through the services that the API and the console call. Answers how many settlements there were. */
export async function liveThrough(
  ctx: Context,
  clock: PastClock,
  receivers: Receivers,
  waves: readonly Wave[],
  end: Date,
): Promise<number> {
  const actors = await findActors(ctx);
  const market = (await listExchangeRates(ctx)).filter(isTraded);
  let count = 0;
  for (const wave of waves) {
    await clock.walkTo(new Date(end.getTime() - wave.minutesBeforeEnd * 60_000));
    if (wave.marketBps !== null) await moveMarket(ctx, actors, market, wave.marketBps);
    const begun: Begun[] = [];
    for (const planned of wave.settlements) {
      begun.push({ planned, settlement: await quote(ctx, actors, receivers, planned) });
      await pause(ctx, clock, 4 + (count % 7));
      count += 1;
    }
    await answerQuotes(ctx, clock, begun);
    await clock.settle();
    await decide(ctx, clock, actors, begun);
  }
  return count;
}

function isTraded({ sourceCurrency, destinationCurrency }: Market[number]): boolean {
  return PARTNERS.some(({ corridors }) => corridors.some(({ from, to }) => from === sourceCurrency && to === destinationCurrency));
}

async function moveMarket(ctx: Context, { deciders }: Actors, market: Market, bps: number): Promise<void> {
  const [by] = deciders.filter(isAdmin);
  if (by === undefined) throw new Error("nobody is there to move the rates");
  for (const { sourceCurrency, destinationCurrency, rate } of market) {
    const moved = multiply(rate, { coefficient: BigInt(10_000 + bps), scale: 4 });
    await setFixedRate(ctx, { by: fresh(by), sourceCurrency, destinationCurrency, rate: roundDownToDigits(moved, 6) });
  }
}

/** What partners do with the quotes that need no admin. */
async function answerQuotes(ctx: Context, clock: PastClock, begun: readonly Begun[]): Promise<void> {
  for (const { planned, settlement } of begun) {
    if (settlement.approvalState !== null) continue;
    if (planned.answer === "confirm") await confirm(ctx, settlement);
    if (planned.answer === "cancel") await cancelSettlement(ctx, { ...ofPartner(settlement), id: settlement.id });
    await pause(ctx, clock, 7);
  }
}

/** What admins do with the others, the quickest first, and the partner after them. */
async function decide(ctx: Context, clock: PastClock, { deciders }: Actors, begun: readonly Begun[]): Promise<void> {
  const waiting = begun.flatMap(({ planned, settlement }) =>
    planned.decision !== null && planned.decision.what !== "leave" && settlement.approvalState === "pending"
      ? [{ planned, settlement, decision: planned.decision }]
      : [],
  );
  const arrived = new Set<By>();
  const arrive = async (by: By) => {
    if (!arrived.has(by)) await signIn(ctx, by);
    arrived.add(by);
  };
  for (const { planned, settlement, decision } of waiting.toSorted((a, b) => a.decision.afterMinutes - b.decision.afterMinutes)) {
    await clock.walkTo(new Date(settlement.createdAt.getTime() + decision.afterMinutes * 60_000));
    const [first, second] = decision.afterMinutes % 2 === 0 ? deciders : deciders.toReversed();
    if (first === undefined || second === undefined) throw new Error("nobody is there to decide");
    await arrive(first);
    if (decision.what === "reject") {
      await rejectSettlement(ctx, { by: fresh(first), id: settlement.id, reason: decision.reason });
      continue;
    }
    const approve = (by: By) => approveSettlement(ctx, { by: fresh(by), id: settlement.id, note: null, expectedExchangeRate: null });
    let approved = await approve(first);
    // Above the second threshold of its terms.
    if (approved.approvalState === "pending") {
      await arrive(second);
      approved = await approve(second);
    }
    if (planned.answer !== "confirm") continue;
    await pause(ctx, clock, 150);
    await confirm(ctx, approved);
    await clock.settle();
  }
}

async function quote(ctx: Context, actors: Actors, receivers: Receivers, planned: PlannedSettlement): Promise<Settlement> {
  const partner = actors.partners[planned.partner];
  const { slug = "" } = PARTNERS[planned.partner] ?? {};
  const exponent = findFiatCurrency(planned.sourceCurrency)?.exponent;
  if (partner === undefined || exponent === undefined) throw new Error(`nobody can ask for ${planned.sourceCurrency}`);
  return await createSettlement(ctx, {
    partnerId: partner.id,
    apiKeyId: partner.apiKeyId,
    by: { actor: { type: "api_key", apiKeyId: partner.apiKeyId, partnerId: partner.id }, requestId: newId("request", new Date()) },
    sourceAmountMinor: BigInt(planned.amount) * 10n ** BigInt(exponent),
    sourceCurrency: planned.sourceCurrency,
    destinationCurrency: planned.destinationCurrency,
    externalMerchantId: planned.merchant,
    chain: CHAIN,
    walletAddress: planned.wallet === null ? BLOCKED_WALLET : walletOf(planned.merchant, planned.wallet),
    callbackUrl: receivers.urlOf(slug, planned.reception),
  });
}

async function confirm(ctx: Context, settlement: Settlement): Promise<void> {
  const externalTxId = `${settlement.externalMerchantId}-${settlement.id.slice(-10)}`;
  const more = { externalTxId, callbackUrl: null, expectedDestinationAmount: null };
  await confirmSettlement(ctx, { ...ofPartner(settlement), id: settlement.id, ...more });
}

function ofPartner({ partnerId, apiKeyId }: Settlement): { partnerId: string; by: By } {
  return { partnerId, by: { actor: { type: "api_key", apiKeyId, partnerId }, requestId: newId("request", new Date()) } };
}

/** A sign-in before decisions, as the present remembers it: its session has ended. */
async function signIn(ctx: Context, by: By): Promise<void> {
  if (by.actor.type !== "user") return;
  const [{ userId }, address, now] = [by.actor, "127.0.0.1", await readBusinessNow(ctx.db)];
  await saveOrigin(ctx.db, userId, address, now);
  const entry = { partnerId: null, action: "user.signed_in", objectId: userId, change: { address }, now };
  await insertAuditEntry(ctx.db, { ...entry, by: { ...by, requestId: newId("request", now) } });
}

/** In a separate request, by somebody who has just signed in. */
function fresh(by: By): By {
  return { ...by, requestId: newId("request", new Date()), proof: { at: new Date(), byCode: false } };
}

async function pause(ctx: Context, clock: PastClock, seconds: number): Promise<void> {
  await clock.walkTo(new Date((await readBusinessNow(ctx.db)).getTime() + seconds * 1_000));
}

/** An address that nobody has the key of. */
function walletOf(merchant: string, index: number): string {
  return getAddress(`0x${keccak256(toHex(`${merchant} ${index}`)).slice(26)}`);
}

async function findActors(ctx: Context): Promise<Actors> {
  const people = await ctx.db.select({ id: users.id, role: users.role }).from(users).where(isNull(users.partnerId));
  const deciders = people.flatMap(({ id, role }): By[] =>
    role === "admin" || role === "approver" ? [{ actor: { type: "user", userId: id, role, partnerId: null }, requestId: null }] : [],
  );
  const [admin] = deciders.filter(isAdmin);
  if (admin === undefined) throw new Error("nobody is there to make partners");
  const found: Actors["partners"] = [];
  for (const { slug, name } of PARTNERS)
    found.push((await findPartner(ctx.db, slug)) ?? (await makePartner(ctx, fresh(admin), { slug, name })));
  return { partners: found, deciders };
}

function isAdmin({ actor }: By): boolean {
  return actor.type === "user" && actor.role === "admin";
}

async function findPartner(db: Database, slug: string): Promise<Actors["partners"][number] | null> {
  const [row] = await db
    .select({ id: partners.id, apiKeyId: apiKeys.id })
    .from(partners)
    .innerJoin(apiKeys, eq(apiKeys.partnerId, partners.id))
    .where(eq(partners.slug, slug))
    .limit(1);
  return row ?? null;
}

async function makePartner(ctx: Context, by: By, { slug, name }: { slug: string; name: string }): Promise<Actors["partners"][number]> {
  const { id } = await createPartner(ctx, {
    by,
    name,
    slug,
    roles: ["AGGREGATOR"],
    walletAddress: null,
    chargeFeePercentage: decimal("0"),
  });
  const key = await createApiKey(ctx, { by, mode: "test", partnerId: id, name: "Production gateway" });
  return { id, apiKeyId: key.id };
}
