import type { AuditViolation, RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { readBookedTreasury } from "#db/queries/ledger/ledger-balances.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { highestLapsingBlock, listOpenLapsingClaims } from "#db/queries/transfers/lapsing-attempts.ts";
import { insertBookHeight, lockDeposits } from "#db/queries/transfers/treasury-books.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { formatDecimal } from "#domain/decimal.ts";
import type { LapsingChain, LapsingNode } from "#domain/lapsing-chain.ts";
import { exactText } from "#domain/money.ts";
import { treasuryFunded } from "#domain/treasury-entries.ts";
import type { Uses } from "#server/context.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { listAnswering } from "./ask-lapsing-nodes.ts";
import { Findings } from "./audit-report.ts";

/** What the ledger says of a token, and what attempts in progress may take out of the wallets, at most: amounts and fees. */
type Book = { bookedBase: bigint; openBase: bigint; opened: boolean };

/** `heldBase`: in the wallets, at a final block. `isQuiet`: nothing was in progress, and nothing was booked, while the balances were read. */
type Measure = Book & { currency: string; decimals: number; height: number; heldBase: bigint; isQuiet: boolean };

/**
 * Reads the books before the balances and after them. What was paid when a balance was read is in the later books, or its attempt is open there;
 * what was booked in between makes those books smaller. So the wallets hold at least the later books less what is open, whatever happens
 * meanwhile. The balances are of a block that is no older than the newest booked one.
 */
async function measure(ctx: Uses<"db">, chain: LapsingChain, node: LapsingNode): Promise<Measure[]> {
  const wallets = await listWalletAddresses(ctx.db, chain.chain);
  if (wallets.length === 0) return [];
  const before = await readBooks(ctx, chain);
  const height = await comparedHeight(ctx, chain, node);
  const held = await Promise.all(chain.tokens.map(({ address }) => sumBalances(node, wallets, address, height)));
  const after = await readBooks(ctx, chain);
  return chain.tokens.flatMap(({ currency, decimals }, index) => {
    const [book, then, heldBase] = [after[index], before[index], held[index] ?? null];
    if (book === undefined || then === undefined || heldBase === null) return [];
    const isQuiet = book.openBase === 0n && then.openBase === 0n && book.bookedBase === then.bookedBase;
    return [{ ...book, currency, decimals, height, heldBase, isQuiet }];
  });
}

/** Of each of the chain's tokens, what all wallets hold together. */
async function readHeld(ctx: Uses<"db">, chain: LapsingChain, node: LapsingNode): Promise<(bigint | null)[]> {
  const wallets = await listWalletAddresses(ctx.db, chain.chain);
  const height = await comparedHeight(ctx, chain, node);
  return await Promise.all(chain.tokens.map(({ address }) => sumBalances(node, wallets, address, height)));
}

/** A final block, no older than the newest booked one. */
async function comparedHeight({ db }: Uses<"db">, { chain }: LapsingChain, node: LapsingNode): Promise<number> {
  return Math.max((await node.finalPoint()).height, await highestLapsingBlock(db, chain));
}

/** Null: nothing can be said of the token, such as one that is not accepted. Nothing is paid in it either. */
async function sumBalances(node: LapsingNode, wallets: readonly string[], token: string | null, height: number): Promise<bigint | null> {
  try {
    const balances = await Promise.all(wallets.map((wallet) => node.balance(wallet, token, height)));
    return balances.reduce((sum, balance) => sum + balance, 0n);
  } catch (error) {
    if (error instanceof Rejected) return null;
    throw error;
  }
}

/** At one instant, in the order of the chain's tokens. */
async function readBooks({ db }: Uses<"db">, { chain, tokens }: LapsingChain): Promise<Book[]> {
  return await db.transaction(
    async (tx) => {
      const claims = await listOpenLapsingClaims(tx, chain);
      const books: Book[] = [];
      for (const { currency, address } of tokens) {
        const { amount: bookedBase, opened } = await readBookedTreasury(tx, { chain, currency });
        const openBase = claims.reduce(
          (sum, { token, amountBase, feeToken, feeAtMost }) =>
            sum + (token === address ? amountBase : 0n) + (feeToken === address ? feeAtMost : 0n),
          0n,
        );
        books.push({ bookedBase, openBase, opened });
      }
      return books;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** The wallets hold no less than the ledger says, except for what attempts in progress may have taken out already. */
export async function auditLapsingTreasury(
  ctx: Uses<"db">,
  { chain, node }: { chain: LapsingChain; node: LapsingNode },
): Promise<RuleOutcome> {
  const findings = new Findings();
  for (const one of await measure(ctx, chain, node)) {
    // Before the books are open they contain only movements.
    if (one.opened) findings.checkAmount(`${chain.chain} ${one.currency}`, missingOf(one), chain.chain);
  }
  return findings.outcome("treasury_is_there", "the wallets hold what the ledger says, and never less");
}

function missingOf({
  currency,
  decimals,
  height,
  heldBase,
  bookedBase,
  openBase,
}: Measure): Pick<AuditViolation, "detail" | "missingBase">[] {
  const missing = bookedBase - openBase - heldBase;
  if (missing <= 0n) return [];
  const text = formatDecimal({ coefficient: missing, scale: decimals });
  return [{ detail: `${text} ${currency} is missing at height ${height}`, missingBase: missing }];
}

/**
 * Opens the books of each chain's wallets whose payments lapse, and books what came in since. Both happen while nothing is in progress, and
 * every node must show the same. The difference of balances is the only witness of a deposit on these chains. Books are read only where a
 * balance has changed since this process looked last.
 */
export function keepLapsingTreasury(ctx: Uses<"db" | "lapsing" | "log">): { run(): Promise<void> } {
  const seen = new Map<string, string>();
  return {
    async run() {
      for (const chain of ctx.lapsing.list()) {
        const nodes = await listAnswering(chain);
        if (nodes.length < chain.nodes.length || (await listOpenLapsingClaims(ctx.db, chain.chain)).length > 0) continue;
        const held = await Promise.all(nodes.map((node) => readHeld(ctx, chain, node).catch(asSilence)));
        const shown = held.some((each) => each === null) ? null : held.map((each) => each?.join(" ")).join(", ");
        if (shown === null || seen.get(chain.chain) === shown) continue;
        if (await bookDeposits(ctx, chain, nodes)) seen.set(chain.chain, shown);
      }
    },
  };
}

/** Whether the nodes agree, and nothing was in progress: there is nothing more to book until a balance changes. */
async function bookDeposits(ctx: Uses<"db" | "log">, chain: LapsingChain, nodes: readonly LapsingNode[]): Promise<boolean> {
  const [first = null, ...others] = await Promise.all(nodes.map((node) => measure(ctx, chain, node).catch(asSilence)));
  if (first === null) return false;
  let isSettled = true;
  for (const one of first) {
    const surplus = surplusOf(one);
    const isWitnessed = others.every((seen) => seen?.some((other) => other.currency === one.currency && surplusOf(other) === surplus));
    isSettled &&= surplus !== null && isWitnessed;
    if (surplus === null || surplus === 0n || !isWitnessed) continue;
    await book(ctx, chain, { ...one, surplus });
  }
  return isSettled;
}

/** Null: something is in progress, or less is there than in the books, which the audit reports. */
function surplusOf({ isQuiet, heldBase, bookedBase }: Measure): bigint | null {
  return !isQuiet || heldBase < bookedBase ? null : heldBase - bookedBase;
}

async function book({ db, log }: Uses<"db" | "log">, { chain }: LapsingChain, deposit: Measure & { surplus: bigint }): Promise<void> {
  const { currency, decimals, height, surplus, bookedBase, opened } = deposit;
  const step = opened ? "funded" : "opened";
  const reference = opened ? `${chain}:${currency}:${height}` : `${chain}:${currency}`;
  const isMine = await db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    await insertBookHeight(tx, { chain, currency, height, now });
    // One worker after another: what another one has booked meanwhile explains the surplus.
    await lockDeposits(tx, { chain, currency });
    const { amount } = await readBookedTreasury(tx, { chain, currency });
    if (amount !== bookedBase) return false;
    await insertLedgerEntry(tx, treasuryFunded({ currency, chain, decimals }, surplus, { step, reference }), now);
    return true;
  });
  if (isMine) log.info({ chain, currency, units: exactText(surplus, decimals), step }, "a deposit into the treasury is booked");
}

function asSilence(error: unknown): null {
  if (error instanceof Unreachable) return null;
  throw error;
}
