import { createPartnerPaymentOperation, listPartnerPaymentsOperation } from "#contract/partner/payment-operations.ts";
import { renderPartnerPayment, renderProposedPayment } from "#contract/partner/payments.ts";
import { declareBookings, listBookings } from "#server/services/ledger/declare-bookings.ts";
import { type Binding, bind } from "./bind.ts";
import { partnerAsked } from "./callers.ts";

export const PAYMENTS: readonly Binding[] = [
  bind(createPartnerPaymentOperation, async (ctx, { by, params, body }) => {
    const { amount, currency, received_at: receivedAt, reference, note = null } = body;
    const partnerId = params.partner_id.toLowerCase();
    const asked = { partnerId, currency, receivedAt, reference, amountMinor: BigInt(amount) };
    const items = [{ ...asked, kind: "partner_payment" as const, orderId: null }];
    const [booked] = (await declareBookings(ctx, { by, items, reason: note })).bookings;
    if (booked === undefined) return { body: renderProposedPayment(asked), status: 202 as const };
    return { body: renderPartnerPayment(booked.booking), ...(booked.repeated && { status: 200 as const }) };
  }),
  bind(listPartnerPaymentsOperation, async (ctx, { params, ...caller }) => {
    const payments = await listBookings(ctx, partnerAsked(caller, params.partner_id));
    return { body: payments.filter(({ kind }) => kind === "partner_payment").map(renderPartnerPayment) };
  }),
];
