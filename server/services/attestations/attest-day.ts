import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { LEASE_SECONDS } from "#db/lease.ts";
import { type AttestationClaim, claimAttestation, findLastAttestation, insertAttestation } from "#db/queries/attestations/attestations.ts";
import { digestLedger, findFirstSeal, listBalancesBefore, listOwed, listPositions } from "#db/queries/attestations/attested-books.ts";
import { findLastSeal } from "#db/queries/audit/audit-seals.ts";
import { allowLongStatements } from "#db/queries/audit/rules/rule.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { renewReconciliation } from "#db/queries/ledger/reconciliations.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import {
  type Attestation,
  type AttestedBalance,
  type AttestedChain,
  hashOfAttestation,
  type LedgerDigest,
  NO_LEDGER,
  readAttestation,
  trialBalance,
  writeAttestation,
} from "#domain/attestation.ts";
import type { Uses } from "#server/context.ts";
import { findAnsweringNode } from "#server/services/ledger/answering-chain.ts";
import { readAttestedChain, Unconfirmed } from "./read-attested-chain.ts";

/** Every transaction that began before a reconciliation has ended after this time. */
const SETTLED_SECONDS = 60;

/** The steps between which the process may die. */
export type AttestStep = "claimed" | "read" | "stored" | "written";
export type AttestOptions = { settledSeconds?: number; observe?: (step: AttestStep) => void };

/**
 * Makes the attestation of a business day whose reconciliation is finished, and stores it in the database. From then on its bytes are
 * fixed. One worker does it.
 *
 * @returns the day; null when there is nothing to do
 */
export async function attestDay(
  ctx: Uses<"db" | "evm" | "auditKey">,
  { settledSeconds = SETTLED_SECONDS, observe = () => {} }: AttestOptions = {},
): Promise<string | null> {
  const { attest, publicKey } = ctx.auditKey;
  const installation = await findFirstSeal(ctx.db);
  if (attest === null || publicKey === null || installation === null) return null;
  const claim = await claimAttestation(ctx.db, { token: randomUUID(), settledSeconds });
  if (claim === null) return null;
  observe("claimed");
  const renewal = setInterval(() => void renewReconciliation(ctx.db, claim).catch(() => {}), (LEASE_SECONDS * 1_000) / 3);
  try {
    const previous = await readPrevious(ctx.db);
    const madeAt = await readBusinessNow(ctx.db);
    const { day } = claim;
    const chains = await readChains(ctx);
    const books = await readBooks(ctx.db, claim, previous);
    observe("read");
    const link = previous && { day: previous.day, hash: previous.hash };
    const made: Attestation = {
      version: 1,
      day,
      made_at: madeAt.toISOString(),
      installation,
      key: publicKey,
      previous: link,
      ...books,
      chains,
    };
    const content = writeAttestation(made, attest);
    const row = { day, content, hash: hashOfAttestation(content), madeAt };
    const isStored = await insertAttestation(ctx.db, row, link?.day ?? null);
    observe("stored");
    return isStored ? day : null;
  } finally {
    clearInterval(renewal);
  }
}

type Previous = { day: string; hash: string; digest: LedgerDigest };

/** Where the ledger's digest goes on from. */
async function readPrevious(db: Database): Promise<Previous | null> {
  const last = await findLastAttestation(db);
  if (last === null) return null;
  const ledger = readAttestation(last.content)?.attestation.ledger;
  if (ledger === undefined) throw new Error(`the stored attestation of ${last.day} cannot be read`);
  return { day: last.day, hash: last.hash, digest: { entries: ledger.entries, digest: ledger.digest, lastId: ledger.last_id } };
}

async function readChains(ctx: Uses<"db" | "evm">): Promise<AttestedChain[]> {
  const chains: AttestedChain[] = [];
  for (const info of ctx.evm.list()) {
    const answering = await findAnsweringNode(info);
    if (answering === null) throw new Unconfirmed(`${info.chain}: no node answers`);
    chains.push(await readAttestedChain(ctx, answering));
  }
  return chains;
}

type Books = Pick<Attestation, "audit_log" | "ledger" | "liabilities" | "pools" | "positions" | "reconciliation">;

async function readBooks(db: Database, { day, differences }: AttestationClaim, previous: Previous | null): Promise<Books> {
  const digest = await digestLedger(db, { from: { day: previous?.day ?? null, digest: previous?.digest ?? NO_LEDGER }, to: day });
  return await db.transaction(
    async (tx) => {
      await allowLongStatements(tx);
      const head = await findLastSeal(tx);
      if (head === null) throw new Error("the audit log has no seal");
      const balances = await listBalancesBefore(tx, day, { snapshots: true });
      const pools = await listPools(tx);
      return {
        audit_log: { seq: head.seq, hash: head.hash },
        ledger: {
          entries: digest.entries,
          digest: digest.digest,
          last_id: digest.lastId,
          balances,
          trial_balance: trialBalance(balances),
        },
        liabilities: [...accountsOf(balances), ...(await listOwed(tx))],
        pools: pools.map(({ currency, totalMinor, reservedMinor }) => ({
          currency,
          total: String(totalMinor),
          reserved: String(reservedMinor),
        })),
        positions: await listPositions(tx, day),
        reconciliation: { day, differences },
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** What a partner's account owes it; below zero, what the partner owes. */
function accountsOf(balances: readonly AttestedBalance[]): Attestation["liabilities"] {
  return balances.flatMap(({ account, partner_id, currency, chain, decimals, amount }) =>
    account === "partner_receivable"
      ? [{ partner_id, kind: "account" as const, currency, chain, decimals, amount: String(-BigInt(amount)) }]
      : [],
  );
}
