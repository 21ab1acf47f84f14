import { randomUUID } from "node:crypto";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import type { By } from "#domain/access.ts";
import { SYSTEM } from "#domain/access.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import type { LimitPurpose, LimitTerms } from "#domain/exposure-limit.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import type { Transfer, TransferPurpose } from "#domain/transfer.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { judgeBeforeSigning } from "#server/services/holds/judge-before-signing.ts";
import { fundPool } from "#server/services/ledger/fund-pool.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { TEST_CHAIN } from "./factories.ts";
import { type FiatBench, openFiatBench } from "./fiat.ts";
import { endLimits } from "./limits.ts";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const BLANK: LimitTerms = {
  ...BLANK_LIMIT,
  kind: "velocity",
  mode: "enforce",
};

const ADMIN: By = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000000" }, requestId: null };

type Values = { amountMinor?: bigint; account?: string; by?: By };

/** A payment of every purpose, by the services, with the limits' verdicts before signing. Of the member `user-1` where possible. */
export async function openLimitedBench() {
  const bench = await openFiatBench();
  bench.state.safeBalanceBase = 10n ** 15n;
  const much = { by: SYSTEM, currency: "KES", amountMinor: 1_000_000_000n, reference: "for a test", now: new Date() };
  await bench.db.transaction((tx) => fundPool(tx, much));
  return { ...bench, enqueuePayment: owing(bench), ...limiting(bench), hear: hearing(bench), transferOf: transferOf(bench) };
}

export type LimitedBench = Awaited<ReturnType<typeof openLimitedBench>>;

function limiting({ db, sql }: FiatBench) {
  return {
    async limit(terms: Partial<LimitTerms>): Promise<string> {
      const id = `limit-${randomUUID().slice(0, 8)}`;
      const opened = await openLimits({ db }, [{ ...BLANK, ...terms, id }], "for a test");
      if (opened[0] !== id) throw new Error(`the limit ${id} was not set`);
      return id;
    },
    async noLimits(): Promise<void> {
      await endLimits(sql);
    },
    /** Everything that a limit counts, in units of 10⁻¹⁸. */
    async counted(id: string): Promise<bigint> {
      const [row] = await sql<{ sum: string }[]>`
        select coalesce(sum(amount_atto), 0)::text as sum from exposure_counters where limit_id = ${id}`;
      return BigInt(row?.sum ?? -1);
    },
    /** As in the transaction that stores the signed bytes. Returns which are held. */
    async judge(...transfers: readonly Transfer[]): Promise<string[]> {
      const about = { walletId: "00000000-0000-4000-8000-00000000000a", now: new Date() };
      return [...(await db.transaction((tx) => judgeBeforeSigning(tx, transfers, about)))];
    },
  };
}

/** 1,000.00 KES are some 7.7 USDT. */
function owing(bench: FiatBench): Record<LimitPurpose, (values?: Values) => Promise<Transfer>> {
  const [hear, find] = [hearing(bench), transferOf(bench)];
  const swept = async ({ amountMinor = 100_000n, account = "+254700000000", by }: Values = {}) => {
    const destination = { type: "mobile_money", account, name: "Wanjiru" } as const;
    const { id } = await bench.withdraw({ amountMinor, externalUserId: "user-1", destination, ...(by && { by }) });
    await runOrdersOnce(bench.newEngine(), "withdrawals");
    return await find("sweep", id);
  };
  return {
    async settlement({ amountMinor = 100_000n } = {}) {
      const pair = { sourceCurrency: "KES", destinationCurrency: "USDT", chain: TEST_CHAIN.chain, externalMerchantId: "merchant-1" };
      const asked = { ...bench.partner, ...pair, sourceAmountMinor: amountMinor, walletAddress: WALLET, callbackUrl: null };
      const { id, approvalState } = await createSettlement(bench.ctx, asked);
      // That a quote beyond a limit waits for an admin is not tested here.
      const powers = {
        ...bench.ctx,
        mode: "sandbox" as const,
        policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
      };
      if (approvalState === "pending") await approveSettlement(powers, { by: ADMIN, id, note: null, expectedExchangeRate: null });
      const values = { externalTxId: id, callbackUrl: "https://receiver.example/c", expectedDestinationAmount: null };
      await confirmSettlement(bench.ctx, { ...bench.partner, ...values, id });
      return await find("settlement", id);
    },
    async topup({ amountMinor = 100_000n } = {}) {
      const { id } = await bench.topUp({ amountMinor });
      await hear("topup", id, "succeeded");
      return await find("topup", id);
    },
    withdrawal: swept,
    async return(values) {
      const { ownerId } = await swept(values);
      await bench.endTransfer("sweep", ownerId, { txHash: "0xaa" });
      await hear("withdrawal", ownerId, "failed");
      return await find("return", ownerId);
    },
  };
}

const hearing =
  ({ ctx }: FiatBench) =>
  async (kind: "topup" | "withdrawal", orderId: string, status: "succeeded" | "failed"): Promise<void> => {
    await takeProviderEvent(ctx, {
      provider: FIRST_PROVIDER,
      kind,
      orderId,
      word: { status, reference: `R-${orderId}`, reason: null },
      body: "{}",
    });
  };

const transferOf =
  ({ db }: FiatBench) =>
  async (purpose: TransferPurpose, ownerId: string): Promise<Transfer> => {
    await bringOutbox({ db });
    const transfer = await findTransferOf(db, purpose, ownerId);
    if (transfer === null) throw new Error(`nothing is owed to ${ownerId} as ${purpose}`);
    return transfer;
  };
