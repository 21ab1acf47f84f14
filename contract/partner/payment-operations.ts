import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { partnerId } from "#contract/shared-fields.ts";
import { READ, WRITE } from "./manners.ts";
import { partnerPaymentCreateSchema, partnerPaymentSchema } from "./payments.ts";

const onePartner = z.strictObject({ partner_id: partnerId });

export const createPartnerPaymentOperation = defineOperation({
  ...WRITE,
  id: "create_partner_payment",
  summary: "Create Partner Payment",
  method: "POST",
  path: "/partners/{partner_id}/payments",
  caller: "operator",
  params: onePartner,
  body: partnerPaymentCreateSchema,
  result: partnerPaymentSchema,
  status: 201,
  repeatStatus: 200,
  proposedStatus: 202,
  refusals: ["step_up_required", "not_found", "conflict"],
});

export const listPartnerPaymentsOperation = defineOperation({
  ...READ,
  id: "list_partner_payments",
  summary: "List Partner Payments",
  path: "/partners/{partner_id}/payments",
  caller: "both",
  params: onePartner,
  result: z.array(partnerPaymentSchema).describe("The 100 newest payments, newest first"),
  refusals: ["not_found"],
});
