import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { exactText, parseAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { waitsForCap } from "#domain/signer-caps.ts";
import { WITHDRAWAL_SIGNERS } from "#domain/treasury-withdrawal.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import {
  proposeTreasuryWithdrawal,
  readTreasuryWithdrawals,
  rejectTreasuryWithdrawal,
  signTreasuryWithdrawal,
  type TreasuryWithdrawalView,
} from "#server/services/treasury/withdraw-crypto.ts";
import { done } from "./done.ts";

const id = plainText(1, 64);
const reason = plainText(8, 1_000);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: "must be an address" });
const amount = z.string().regex(/^\d{1,40}(\.\d{1,18})?$/, { error: "must be an amount" });
const order = operatorProcedure("administer");

/** Crypto that the operator takes out of its wallets. Every operator may see it; two different admins sign it with their passkeys. */
export const treasuryWithdrawalsRouter = router({
  /** `places`: what can be proposed. Where the settings name no destination, nothing can. */
  list: operatorProcedure().query(async ({ ctx: { services, holder } }) => {
    const { withdrawals, places } = await readTreasuryWithdrawals(services);
    return { data: withdrawals.map((one) => renderWithdrawal(one, holder.userId)), needed: WITHDRAWAL_SIGNERS, places };
  }),

  propose: order
    .input(fromWire({ chain: plainText(1, 64), wallet_address: address, currency: plainText(1, 16), amount, recipient: address, reason }))
    .mutation(async ({ ctx: { services, by }, input: { amount: written, ...input } }) => {
      const token = services.evm.find(input.chain)?.tokens.find(({ currency }) => currency === input.currency);
      const amountBase = parseAmount(written, token?.decimals ?? 0);
      if (amountBase === null) throw new Refusal("validation_failed", { detail: "The token has fewer decimals." });
      return { id: (await proposeTreasuryWithdrawal(services, { by, amountBase, ...input })).id };
    }),

  /** One of the two people who take it out. */
  sign: order.input(fromWire({ id })).mutation(({ ctx: { services, by }, input }) => signTreasuryWithdrawal(services, { by, ...input })),

  reject: order
    .input(fromWire({ id, reason }))
    .mutation(({ ctx: { services, by }, input }) => done(rejectTreasuryWithdrawal(services, { by, ...input }))),
});

function renderWithdrawal({ amountBase, tokenDecimals, signers, proposer, ...withdrawal }: TreasuryWithdrawalView, asker: string) {
  const { waitingReason } = withdrawal;
  return {
    ...toWire(withdrawal, "id", "chain", "walletAddress", "currency", "recipient", "reason", "state", "proposedAt", "decidedAt"),
    ...toWire(withdrawal, "txHash", "failureReason", "transferId", "waitingReason"),
    amount: exactText(amountBase, tokenDecimals),
    proposed_by: proposer,
    signed_by: signers.map(({ name }) => name),
    is_signed_by_asker: signers.some(({ id: signer }) => signer === asker),
    /** The cap of the signer that its payment waits for. */
    cap_period: waitsForCap(waitingReason),
  };
}
