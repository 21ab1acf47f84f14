import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type DeclaredFunding, listDeclaredFundings } from "#db/queries/transfers/declared-fundings.ts";
import { findTreasuryCursor, listOpenLines, listUnsettled, lockLine, saveLine } from "#db/queries/transfers/suspense-lines.ts";
import { listBookHeights } from "#db/queries/transfers/treasury-books.ts";
import { lockUnknownPayments } from "#db/queries/transfers/treasury-losses.ts";
import { SYSTEM } from "#domain/access.ts";
import { COIN_PLACES, isCounted, type LineName, lineSuspended, type SuspenseLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain } from "#server/ports.ts";
import { fundByLine, takeLineBack } from "./close-lines.ts";
import { askAboutLine } from "./read-line.ts";
import { GO_BACK } from "./watch-movements.ts";

/** Lines in one pass. */
const AT_ONCE = 200;

/**
 * Books lines that every node of the chain shows in the same final block, and lets go of those that none shows any more. What was booked in the
 * newest blocks is asked about again, because a deep reorg may take it back. Declared fundings explain the lines that they name.
 */
export async function settleLines(ctx: Uses<"db" | "log">, chain: EvmChain): Promise<void> {
  const cursor = await findTreasuryCursor(ctx.db, chain.chain, "wallet");
  const above = (cursor?.height ?? 0) - GO_BACK;
  const heights = await listBookHeights(ctx.db, chain.chain);
  for (const line of await listUnsettled(ctx.db, chain.chain, { above, limit: AT_ONCE })) {
    const said = await askAboutLine(ctx, chain, line);
    if (said.answer === "absent") await letGo(ctx, line);
    if (said.answer === "final" && (line.state === "seen" || line.blockHash !== said.blockHash))
      await book(ctx, { line, heights, blockNumber: said.blockNumber, blockHash: said.blockHash });
  }
  await matchFundings(ctx, chain.chain);
}

async function letGo(ctx: Uses<"db" | "log">, seen: SuspenseLine): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUnknownPayments(tx, seen.chain);
    const line = await lockLine(tx, seen);
    if (line === null || line.state !== seen.state || line.blockHash !== seen.blockHash) return;
    await takeLineBack(tx, line, await readBusinessNow(tx));
  });
  const { chain, hash, place, state } = seen;
  ctx.log[state === "booked" ? "error" : "warn"]({ chain, hash, place }, "no node shows a movement any more that was in suspense");
}

type Final = { line: SuspenseLine; heights: ReadonlyMap<string, number>; blockNumber: number; blockHash: string };

async function book({ db }: Uses<"db">, { line: seen, heights, blockNumber, blockHash }: Final): Promise<void> {
  const begun = heights.get(seen.currency);
  // Before the books begin, the opening balance counts it.
  if (isCounted(seen) && begun === undefined) return;
  await db.transaction(async (tx) => {
    await lockUnknownPayments(tx, seen.chain);
    const line = await lockLine(tx, seen);
    if (line === null || line.state !== seen.state) return;
    const now = await readBusinessNow(tx);
    const placed = { ...line, blockNumber, blockHash, state: "booked" as const };
    if (line.state === "booked" || !isCounted(line)) return await saveLine(tx, placed);
    if (blockNumber <= (begun ?? 0)) return await saveLine(tx, { ...placed, resolution: "opening", resolvedAt: now });
    const bookings = line.bookings + 1;
    await insertLedgerEntry(tx, lineSuspended(line, bookings), now);
    await saveLine(tx, { ...placed, bookings });
  });
}

/** A declared funding explains the oldest booked deposit that it names. */
async function matchFundings(ctx: Uses<"db" | "log">, chain: string): Promise<void> {
  const declared = await listDeclaredFundings(ctx.db, chain);
  for (const funding of declared) {
    const lines = await listOpenLines(ctx.db, { chain, hash: funding.hash }, AT_ONCE);
    const line = lines.find((one) => isDeclared(one, funding));
    if (line !== undefined) await explain(ctx, line, funding);
  }
}

export function isDeclared(line: SuspenseLine, { currency, amountBase }: Pick<DeclaredFunding, "currency" | "amountBase">): boolean {
  const { holder, direction, state, place } = line;
  const isDeposit = holder === "wallet" && direction === "in" && state === "booked" && place !== COIN_PLACES.fee;
  return isDeposit && line.currency === currency && line.amountBase === amountBase;
}

async function explain({ db, log }: Uses<"db" | "log">, name: LineName, funding: DeclaredFunding): Promise<void> {
  const { chain } = name;
  await db.transaction(async (tx) => {
    await lockUnknownPayments(tx, chain);
    const line = await lockLine(tx, name);
    const still = (await listDeclaredFundings(tx, chain)).some(({ proposalId }) => proposalId === funding.proposalId);
    if (line === null || line.resolution !== null || !still || !isDeclared(line, funding)) return;
    const now = await readBusinessNow(tx);
    await fundByLine(tx, line, { proposalId: funding.proposalId, now });
    const change = { chain, hash: funding.hash, currency: funding.currency, amount_base: String(funding.amountBase) };
    await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "treasury.funded", objectId: funding.proposalId, change, now });
  });
  log.info({ chain, hash: funding.hash, proposal: funding.proposalId }, "a deposit is booked as the declared funding");
}
