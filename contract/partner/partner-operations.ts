import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { partnerId } from "#contract/shared-fields.ts";
import { pageQuery, READ, TOTAL_COUNT, WRITE } from "./manners.ts";
import { partnerCreateSchema, partnerSchema, partnerStatusSchema, updateChargingFeeSchema } from "./partner.ts";

const onePartner = z.strictObject({ partner_id: partnerId });

export const currentPartnerOperation = defineOperation({
  ...READ,
  id: "current_partner",
  summary: "Current Partner",
  path: "/partners/current",
  caller: "partner",
  result: partnerSchema,
});

export const readPartnersOperation = defineOperation({
  ...READ,
  id: "read_partners",
  summary: "Read Partners",
  path: "/partners",
  caller: "operator",
  query: pageQuery,
  result: z.array(partnerSchema),
  resultHeaders: TOTAL_COUNT,
});

export const createPartnerOperation = defineOperation({
  ...WRITE,
  id: "create_partner",
  summary: "Create Partner",
  method: "POST",
  path: "/partners",
  caller: "operator",
  body: partnerCreateSchema,
  result: partnerSchema,
  status: 201,
  refusals: ["step_up_required", "conflict", "invalid_wallet_address"],
});

export const updateChargeFeeOperation = defineOperation({
  ...WRITE,
  id: "update_charge_fee",
  summary: "Update Charge Fee",
  method: "PUT",
  path: "/partners/{partner_id}/charge-fee",
  caller: "operator",
  params: onePartner,
  body: updateChargingFeeSchema,
  result: partnerSchema,
  refusals: ["step_up_required", "not_found"],
});

export const updatePartnerStatusOperation = defineOperation({
  ...WRITE,
  id: "update_partner_status",
  summary: "Update Partner Status",
  method: "PUT",
  path: "/partners/{partner_id}/status",
  caller: "operator",
  params: onePartner,
  body: partnerStatusSchema,
  result: partnerSchema,
  refusals: ["step_up_required", "not_found"],
});
