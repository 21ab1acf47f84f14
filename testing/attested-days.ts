import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { openAuditKey } from "#domain/audit-key.ts";
import { openAttestationFolder } from "#server/adapters/attestation-folder.ts";
import type { AttestOptions } from "#server/services/attestations/attest-day.ts";
import { keepAttestations } from "#server/services/attestations/keep-attestations.ts";
import { sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { reconcile } from "#server/services/ledger/reconcile.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import type { TestChain } from "./chain.ts";
import { addPartner, addTerms, setClockOffset, setRate } from "./factories.ts";
import { type BenchOptions, newAddress, openTransferBench } from "./transfers.ts";

const DAY_MS = 86_400_000;

/** A service whose business days are attested in a folder of its own, one after another. */
export async function openAttestedDays(chain: TestChain, options: BenchOptions = {}) {
  const bench = await openTransferBench(chain, { onFinal: completeOwner, ...options });
  const partner = await addPartner(bench.db);
  await addTerms(bench.db);
  const worker = bench.newWorker();
  await bench.run(worker, [], 1); // it registers its wallets
  await chain.mine(4);
  const secret = randomBytes(32);
  const auditKey = openAuditKey({ secret, publicKey: null, begins: null });
  const ctx = { ...bench.ctx, auditKey };
  await keepTreasuryOpen(ctx).run();
  const path = mkdtempSync(join(tmpdir(), "attestations-"));
  const folder = openAttestationFolder(path);
  let day = 0;

  /** A settlement that is executed. */
  async function pay(): Promise<string> {
    await setRate(bench.db, "0.0077");
    const powers = { db: bench.db, chains: bench.ctx.evm };
    const { id } = await createSettlement(powers, {
      ...partner,
      sourceAmountMinor: 1_000_000n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "merchant-1",
      chain: chain.chain,
      walletAddress: newAddress(),
      callbackUrl: "http://localhost:9/callback",
    });
    const confirmed = { ...partner, id, externalTxId: `ref-${id}`, callbackUrl: null, expectedDestinationAmount: null };
    await confirmSettlement(powers, confirmed);
    await bringOutbox(powers);
    await sealAuditLog(ctx);
    const [paid] = await bench.run(worker, [(await findTransferOf(bench.db, "settlement", id))?.id ?? ""]);
    if (paid?.state !== "executed") throw new Error(`the payment is ${paid?.state}`);
    return id;
  }

  /** The next business day begins, and is reconciled. */
  async function nextDay(): Promise<void> {
    day += 1;
    await setClockOffset(bench.db, day * DAY_MS);
    while ((await sealAuditLog(ctx)).sealed > 0);
    await reconcile(ctx);
  }
  const keep = (more: AttestOptions = {}, place = folder) => keepAttestations(ctx, place, { settledSeconds: 0, ...more });
  const expireLeases = () => bench.sql`update reconciliations set lease_until = clock_timestamp() - interval '1 second'`;
  async function close(): Promise<void> {
    await bench.close();
    rmSync(path, { recursive: true });
  }
  return { bench, ctx, secret, path, folder, partner, pay, nextDay, keep, expireLeases, close };
}

export type AttestedDays = Awaited<ReturnType<typeof openAttestedDays>>;
