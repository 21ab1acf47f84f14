import { randomInt, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { callbacks } from "#db/schema/callbacks.ts";
import { fiatPools } from "#db/schema/fiat-provider.ts";
import { partners } from "#db/schema/partners.ts";
import type { Context } from "#server/context.ts";
import type { RawRequest } from "#server/rest/raw-request.ts";
import { REGISTRY, surfaceAt } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import type { SurfaceContext } from "#server/rest/surface-context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { enqueueTestCallback } from "./callbacks.ts";
import { TEST_CHAIN } from "./factories.ts";
import { type FiatBench, SAFE } from "./fiat.ts";
import { endLimits } from "./limits.ts";
import { issueKey, type RequestParts, readAnswer, signedRequest } from "./surface.ts";

/** A valid request for each operation that writes and has a nonce, any number of times, each about a separate object. */

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

/** Who calls: a partner's key and an operator's. */
export type WriteCaller = { partner: IssuedApiKey & { partnerId: string }; operator: IssuedApiKey };
export type WriteStage = { bench: FiatBench; ctx: Context; surfaceContext: SurfaceContext };
/** The request, and who signs it. */
export type WriteCall = RequestParts & { signedBy: "partner" | "operator" };

/** With enough in the pool for all that is withdrawn. */
export async function openWriteStage(bench: FiatBench, ctx: Context, surfaceContext: SurfaceContext): Promise<WriteStage> {
  await bench.db.update(fiatPools).set({ totalMinor: 1_000_000_000_000n });
  return { bench, ctx, surfaceContext };
}

/** A partner with all permissions, and an operator, with their own keys. */
export async function addWriteCaller({ ctx, bench }: WriteStage): Promise<WriteCaller> {
  const partner = await issueKey(ctx, {}, { walletAddress: SAFE, chargeFeePercentage: "1.5" });
  if (partner.partnerId === null) throw new Error("the key has no partner");
  const owner = { partnerId: partner.partnerId, apiKeyId: partner.id, by: bench.partner.by };
  await bench.addMember(owner, { externalUserId: "user-1" });
  return { partner: { ...partner, partnerId: partner.partnerId }, operator: await issueKey(ctx, { partnerId: null }) };
}

/** The same bytes each time that it is called: a copy has the nonce of its first. */
export function requestOf({ signedBy, ...parts }: WriteCall, caller: WriteCaller, nonce: string = randomUUID()): RawRequest {
  const key = caller[signedBy];
  return signedRequest(key, { ...parts, nonce, headers: { apiKey: key.apiKey, ...parts.headers } });
}

export async function answerOf({ surfaceContext }: Pick<WriteStage, "surfaceContext">, request: RawRequest) {
  const { surface, bindings } = surfaceAt(request.path) ?? REGISTRY.settlement;
  return readAnswer(await handle(surface, surfaceContext, bindings, request));
}

const asJson = (method: string, target: string, body: object, signedBy: WriteCall["signedBy"]): WriteCall => {
  return { method, target, body: JSON.stringify(body), signedBy };
};
const byPartner = (target: string, body: object = {}) => asJson("POST", target, body, "partner");
const byOperator = (target: string, body: object, method = "POST") => asJson(method, target, body, "operator");

const PAIR = { source_currency: "KES", destination_currency: "USDT", chain: TEST_CHAIN.chain };
const createCall = (amount = 100_000) =>
  byPartner("/api/v1/settlements", {
    ...PAIR,
    source_amount: amount,
    external_merchant_id: randomUUID(),
    wallet_address: WALLET,
    callback_url: "http://localhost:9/callback",
  });

const BATCHES = "/api/v1/settlement-batches";
const batchCall = (amount = 100_000) =>
  byPartner(BATCHES, {
    external_batch_id: randomUUID(),
    callback_url: "http://localhost:9/batch",
    items: [amount, 200_000].map((source_amount) => {
      return { ...PAIR, source_amount, external_tx_id: randomUUID(), external_merchant_id: randomUUID(), wallet_address: WALLET };
    }),
  });

/** Sends it, and answers the member of that name. */
async function made(stage: WriteStage, caller: WriteCaller, call: WriteCall, member: string): Promise<string> {
  const { status, body } = await answerOf(stage, requestOf(call, caller));
  const value = body[member];
  if (status >= 300 || typeof value !== "string") throw new Error(`${call.target}: ${status} ${JSON.stringify(body)}`);
  return value;
}
const batched = (stage: WriteStage, caller: WriteCaller, amount?: number) => made(stage, caller, batchCall(amount), "batch_id");
const quoted = (stage: WriteStage, caller: WriteCaller, amount?: number) => made(stage, caller, createCall(amount), "tx_id");

/** One whose payment waits behind a limit that holds no other partner's. */
async function held(stage: WriteStage, caller: WriteCaller): Promise<string> {
  const id = await quoted(stage, caller);
  const { partnerId } = caller.partner;
  const nothing = {
    kind: "velocity",
    mode: "enforce",
    countedBy: "all",
    windowSeconds: 3_600,
    amountAtto: 0n,
    timesMaximum: null,
  } as const;
  const whom = {
    purpose: null,
    partnerId,
    sourceCurrency: null,
    destinationCurrency: null,
    chain: null,
    waitSeconds: null,
    addresses: null,
  };
  await openLimits(stage.ctx, [{ ...nothing, ...whom, id: `stop-${randomUUID()}` }]);
  await made(stage, caller, byPartner(`/api/v1/settlements/${id}/confirm`, { external_tx_id: randomUUID() }), "tx_id");
  await endLimits(stage.bench.sql);
  return id;
}

async function owedCallback({ bench }: WriteStage, { partner }: WriteCaller, subjectId: string, isDelivered: boolean): Promise<string> {
  const owner = { partnerId: partner.partnerId, apiKeyId: partner.id, by: bench.partner.by };
  const { id } = await enqueueTestCallback(bench.db, owner, "https://receiver.example", { subjectId });
  const delivered = { state: "delivered", dueAt: null, deliveredAt: new Date() } as const;
  if (isDelivered) await bench.db.update(callbacks).set(delivered).where(eq(callbacks.id, id));
  return id;
}

async function newPartner({ bench }: WriteStage): Promise<string> {
  const [id, now] = [randomUUID(), new Date()];
  const base = {
    id,
    name: "Another partner",
    slug: id,
    status: "active",
    chargeFeePercentage: "0",
    createdAt: now,
    updatedAt: now,
  } as const;
  await bench.db.insert(partners).values({ ...base, roles: ["AGGREGATOR"] });
  return id;
}

const FIAT = "/partners/transactions";
const phone = () => `+2547${randomInt(10_000_000, 99_999_999)}`;
const money = { amount: 100_000, currency: "KES", chain: TEST_CHAIN.chain };
const payee = { type: "mobile_money", account: "+254700000000", name: "Wanjiru" };
const withdrawal = (more: object = {}) => {
  const body = { ...money, external_id: randomUUID(), source_currency: "USDT", destination: payee, ...more };
  return byPartner(`${FIAT}/withdraw-fiat${"external_user_id" in more ? "/member" : ""}`, body);
};
const topup = () => {
  const source = { type: "mobile_money", account: "+254700000000" };
  const body = { ...money, external_id: randomUUID(), external_user_id: "user-1", destination_currency: "USDT", source };
  return byPartner(`${FIAT}/topup-fiat`, body);
};
const member = () => byPartner("/partners/members", { external_user_id: randomUUID(), phone: phone(), wallet_address: WALLET });

const DESTINATIONS = "/api/v1/event-destinations";
/** A partner has few: what earlier calls left goes first. */
async function newDestination({ bench }: WriteStage, { partner: { partnerId } }: WriteCaller): Promise<WriteCall> {
  await bench.sql`delete from event_destinations where partner_id = ${partnerId}
    and id not in (select id from event_destinations where partner_id = ${partnerId} order by id desc limit 4)`;
  return byPartner(DESTINATIONS, { type: "webhook", url: "http://localhost:9/events", types: ["settlement.*"], description: randomUUID() });
}
const destination = async (stage: WriteStage, caller: WriteCaller) =>
  `${DESTINATIONS}/${await made(stage, caller, await newDestination(stage, caller), "id")}`;

type Make = (stage: WriteStage, caller: WriteCaller) => Promise<WriteCall>;
const PENDING = 100_000_001;

/** By the operation's id. What a call is about exists once it is made. */
export const WRITE_CALLS: Readonly<Record<string, Make>> = {
  create_settlement: async () => createCall(),
  confirm_settlement: async (...of) =>
    byPartner("/api/v1/settlements/confirm", { tx_id: await quoted(...of), external_tx_id: randomUUID() }),
  confirm_one_settlement: async (...of) =>
    byPartner(`/api/v1/settlements/${await quoted(...of)}/confirm`, { external_tx_id: randomUUID() }),
  cancel_settlement: async (...of) => byPartner("/api/v1/settlements/cancel", { tx_id: await quoted(...of) }),
  cancel_one_settlement: async (...of) => byPartner(`/api/v1/settlements/${await quoted(...of)}/cancel`),
  create_batch: async () => batchCall(),
  confirm_batch: async (...of) => byPartner(`${BATCHES}/${await batched(...of)}/confirm`),
  cancel_batch: async (...of) => byPartner(`${BATCHES}/${await batched(...of)}/cancel`),
  async requote_batch(stage, caller) {
    const id = await batched(stage, caller);
    const earlier = stage.bench.sql`priced_at - interval '1 hour', expires_at = expires_at - interval '1 hour'`;
    await stage.bench.sql`update settlements set priced_at = ${earlier} where batch_id = ${id}`;
    return byPartner(`${BATCHES}/${id}/requote`);
  },
  approve_batch: async (...of) => byOperator(`/admins/settlement-batches/${await batched(...of, PENDING)}/approve`, {}),
  reject_batch: async (...of) =>
    byOperator(`/admins/settlement-batches/${await batched(...of, PENDING)}/reject`, { reason: "The recipients are unknown." }),
  async resend_callback(stage, caller) {
    const id = await quoted(stage, caller);
    return byPartner(`/api/v1/settlements/${id}/callbacks/${await owedCallback(stage, caller, id, true)}/resend`);
  },
  async attempt_callback(stage, caller) {
    const id = await quoted(stage, caller);
    return byPartner(`/api/v1/settlements/${id}/callbacks/${await owedCallback(stage, caller, id, false)}/attempt`);
  },
  async resend_any_callback(stage, caller) {
    const id = await quoted(stage, caller);
    return byPartner(`/api/v1/callbacks/${await owedCallback(stage, caller, id, true)}/resend`);
  },
  async attempt_any_callback(stage, caller) {
    const id = await quoted(stage, caller);
    return byPartner(`/api/v1/callbacks/${await owedCallback(stage, caller, id, false)}/attempt`);
  },
  create_event_destination: newDestination,
  change_event_destination: async (...of) => asJson("PATCH", await destination(...of), { status: "paused" }, "partner"),
  delete_event_destination: async (...of) => ({ method: "DELETE", target: await destination(...of), signedBy: "partner" }),
  test_event_destination: async (...of) => byPartner(`${await destination(...of)}/test`),
  replay_event_destination: async (...of) => byPartner(`${await destination(...of)}/replay`, { from: "2026-01-01T00:00:00Z" }),
  create_partner: async () => byOperator("/partners", { name: randomUUID(), slug: randomUUID(), roles: ["AGGREGATOR"] }),
  create_partner_payment: async (_stage, { partner }) =>
    byOperator(`/partners/${partner.partnerId}/payments`, {
      amount: 100_000,
      currency: "KES",
      received_at: "2026-01-01T00:00:00Z",
      reference: randomUUID(),
    }),
  update_charge_fee: async (stage) =>
    byOperator(`/partners/${await newPartner(stage)}/charge-fee`, { charge_fee_percentage: 2.3456 }, "PUT"),
  update_partner_status: async (stage) => byOperator(`/partners/${await newPartner(stage)}/status`, { status: "suspended" }, "PUT"),
  create_api_key: async (_stage, { partner }) => byOperator("/partners/api-keys", { partner_id: partner.partnerId, name: randomUUID() }),
  async delete_api_key({ ctx }, { partner: { partnerId } }) {
    return { method: "DELETE", target: `/partners/api-keys/${(await issueKey(ctx, { partnerId })).id}`, signedBy: "operator" };
  },
  rotate_api_key: async ({ ctx }, { partner: { partnerId } }) =>
    byPartner(`/partners/api-keys/${(await issueKey(ctx, { partnerId })).id}/rotate`, { overlap_seconds: 60 }),
  rotate_callback_secret: async (stage) =>
    byOperator(`/partners/${await newPartner(stage)}/callback-secret/rotate`, { overlap_seconds: 60 }),
  create_member: async () => member(),
  update_member: async (stage, caller) =>
    asJson("PUT", `/partners/members/${await made(stage, caller, member(), "external_user_id")}`, { phone: phone() }, "partner"),
  withdraw_fiat: async () => withdrawal(),
  withdraw_fiat_for_registered_member: async () => withdrawal({ external_user_id: "user-1" }),
  topup_fiat: async () => topup(),
  withdraw_fiat_cancel: async (...of) => byPartner(`${FIAT}/withdraw-fiat/${await made(...of, withdrawal(), "id")}/cancel`),
  topup_fiat_cancel: async (...of) => byPartner(`${FIAT}/topup-fiat/${await made(...of, topup(), "id")}/cancel`),
  create_admin: async () => {
    const username = `${randomUUID()}@example.com`;
    return byOperator("/admins", { username, password: "plover-quay-71-lantern", name: "Ada", role: "viewer" });
  },
  approve_settlement: async (...of) => byOperator(`/admins/settlements/${await quoted(...of, PENDING)}/approve`, {}),
  reject_settlement: async (...of) =>
    byOperator(`/admins/settlements/${await quoted(...of, PENDING)}/reject`, { reason: "As the test says." }),
  release_settlement: async (...of) => byOperator(`/admins/settlements/${await held(...of)}/release`, { reason: "As the test says." }),
  refuse_settlement: async (...of) => byOperator(`/admins/settlements/${await held(...of)}/refuse`, { reason: "As the test says." }),
};
