import type { z } from "zod";
import { pairListSchema } from "#contract/settlement/v1/pricing.ts";
import { cancelBody, cancelOneBody, confirmBody, confirmOneBody, createBody } from "#contract/settlement/v1/requests.ts";
import { type SettlementWire, settlementSchema } from "#contract/settlement/v1/settlement.ts";
import { targetOf } from "#domain/callback.ts";
import { newId } from "#domain/ids.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import { signAttempt } from "#server/services/callbacks/sign-attempt.ts";

export type Answer = { status: number; headers: Record<string, string>; body: unknown };

/** What the stand-in says no with. */
export class Refuse extends Error {
  readonly code: RefusalCode;
  readonly retryAfter: number | null;
  readonly members: object;
  constructor(code: RefusalCode, { retryAfter, members = {} }: { retryAfter?: number; members?: object } = {}) {
    super(code);
    this.code = code;
    this.retryAfter = retryAfter ?? null;
    this.members = members;
  }
}

export type Route = { operation: string; method: string; txId: string | null };

const ROUTES: readonly [string, string, RegExp][] = [
  ["time", "GET", /^\/time$/],
  ["echo", "POST", /^\/api\/v1\/echo$/],
  ["pairs", "GET", /^\/api\/v1\/pairs$/],
  ["create", "POST", /^\/api\/v1\/settlements$/],
  ["confirm", "POST", /^\/api\/v1\/settlements\/confirm$/],
  ["cancel", "POST", /^\/api\/v1\/settlements\/cancel$/],
  ["confirm", "POST", /^\/api\/v1\/settlements\/([^/]+)\/confirm$/],
  ["cancel", "POST", /^\/api\/v1\/settlements\/([^/]+)\/cancel$/],
  ["get", "GET", /^\/api\/v1\/settlements\/([^/]+)$/],
];

export function routeOf(method: string, path: string): Route | null {
  for (const [operation, known, pattern] of ROUTES) {
    const found = method === known ? pattern.exec(path) : null;
    if (found !== null) return { operation, method, txId: found[1] === undefined ? null : decodeURIComponent(found[1]) };
  }
  return null;
}

const PAIR = { source_currency: "KES", destination_currency: "USDT", chain: "eip155:31337" } as const;
/** What a client is asked to settle. */
export const ORDER = {
  ...PAIR,
  source_amount: 1_000_000,
  external_merchant_id: "certify",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};
const QUOTE_MS = 300_000;
const PAYMENT_MS = 300;

/** The settlements of one run. */
export class Books {
  readonly settlements = new Map<string, SettlementWire>();
  /** Every settlement that was confirmed, with its reference, in order. */
  readonly confirmed: { txId: string; externalTxId: string }[] = [];
  readonly #keys: { apiSecret: string; callbackSecret: string; needsApproval: boolean };

  constructor(keys: { apiSecret: string; callbackSecret: string; needsApproval: boolean }) {
    this.#keys = keys;
  }

  /** @throws Refuse as the contract has it: the body is judged before anything else is looked at. */
  read({ operation, method, txId }: Route, body: string): Record<string, unknown> {
    if (method !== "POST" || operation === "echo") return {};
    const schemas = {
      create: createBody,
      confirm: txId === null ? confirmBody : confirmOneBody,
      cancel: txId === null ? cancelBody : cancelOneBody,
    };
    const schema: z.ZodType = schemas[operation as keyof typeof schemas];
    let told: unknown;
    try {
      told = body === "" && operation === "cancel" ? {} : JSON.parse(body);
    } catch {
      throw new Refuse("malformed_json");
    }
    const read = schema.safeParse(told);
    if (read.success) return told as Record<string, unknown>;
    const errors = read.error.issues.map(({ path, code, message }) => ({ pointer: `/${path.join("/")}`, code, message }));
    throw new Refuse("validation_failed", { members: { errors } });
  }

  act({ operation, txId }: Route, told: Record<string, unknown>): Answer {
    switch (operation) {
      case "create":
        return { status: 201, headers: {}, body: this.#shown(this.#create(createBody.parse(told))) };
      case "confirm":
        return ok(this.#shown(this.#confirm(this.#find(txId ?? String(told.tx_id)), told)));
      case "cancel":
        return ok(this.#shown(this.#cancel(this.#find(txId ?? String(told.tx_id)))));
      case "get":
        return ok(this.#shown(this.#find(txId ?? "")));
      case "pairs":
        return ok(PAIRS);
      case "time":
        return ok({ now: new Date().toISOString(), epoch_seconds: Math.floor(Date.now() / 1_000) });
      default:
        return ok({ certified: true });
    }
  }

  /** With a field that no client knows: fields are added without notice. */
  #shown(settlement: SettlementWire): object {
    return { ...settlementSchema.parse(settlement), certified_by: "nobody" };
  }

  #find(txId: string): SettlementWire {
    const found = this.settlements.get(txId);
    if (found === undefined) throw new Refuse("settlement_not_found");
    const due = found.status === "processing" && Date.parse(found.confirmed_at ?? "") + PAYMENT_MS <= Date.now();
    if (due) Object.assign(found, { status: "executed", tx_hash: `0x${"ce".repeat(32)}`, executed_at: new Date().toISOString() });
    return found;
  }

  #create(body: z.infer<typeof createBody>): SettlementWire {
    const known = Object.entries(PAIR).every(([name, value]) => body[name as keyof typeof PAIR] === value);
    if (!known) throw new Refuse("unsupported_pair");
    const now = new Date();
    const settlement: SettlementWire = {
      ...body,
      tx_id: newId("settlement", now),
      callback_url: body.callback_url ?? null,
      external_tx_id: null,
      status: "quoted",
      approval_state: this.#keys.needsApproval ? "pending" : null,
      destination_amount: 76.5,
      platform_fee: 0.5,
      exchange_rate: 0.0077,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + QUOTE_MS).toISOString(),
      confirmed_at: null,
      cancelled_at: null,
      approval_decided_at: null,
      rejection_reason: null,
      waiting_reason: null,
      waiting_since: null,
      undelivered_callbacks: [],
    };
    this.settlements.set(settlement.tx_id, settlement);
    return settlement;
  }

  /** In the order of the contract's part 9. */
  #confirm(settlement: SettlementWire, told: Record<string, unknown>): SettlementWire {
    const { callback_url, external_tx_id } = confirmOneBody.parse(told);
    const url = callback_url ?? settlement.callback_url;
    if (url === null)
      throw new Refuse("validation_failed", {
        members: { errors: [{ pointer: "/callback_url", code: "required", message: "is required" }] },
      });
    if (settlement.external_tx_id !== null) {
      if (settlement.external_tx_id !== external_tx_id) throw new Refuse("external_tx_id_conflict");
      if (settlement.callback_url !== url) throw new Refuse("invalid_state", { members: { settlement_status: settlement.status } });
      return settlement;
    }
    if (settlement.status !== "quoted") throw new Refuse("invalid_state", { members: { settlement_status: settlement.status } });
    if (settlement.approval_state === "pending") throw new Refuse("approval_pending");
    const now = new Date();
    if (Date.parse(settlement.expires_at) <= now.getTime())
      throw new Refuse("quote_expired", { members: { expired_at: settlement.expires_at, server_time: now.toISOString() } });
    if ((told.expected_destination_amount ?? settlement.destination_amount) !== settlement.destination_amount)
      throw new Refuse("quote_changed", { members: { current_destination_amount: settlement.destination_amount } });
    if (this.confirmed.some(({ externalTxId }) => externalTxId === external_tx_id)) throw new Refuse("external_tx_id_conflict");
    Object.assign(settlement, { status: "processing", external_tx_id, callback_url: url, confirmed_at: now.toISOString() });
    this.confirmed.push({ txId: settlement.tx_id, externalTxId: external_tx_id });
    setTimeout(() => void this.#callBack(settlement, url), PAYMENT_MS).unref();
    return settlement;
  }

  #cancel(settlement: SettlementWire): SettlementWire {
    if (settlement.status !== "quoted" && settlement.status !== "cancelled")
      throw new Refuse("invalid_state", { members: { settlement_status: settlement.status } });
    settlement.status = "cancelled";
    settlement.cancelled_at ??= new Date().toISOString();
    return settlement;
  }

  /** Once: anyone who listens hears of it, and nobody is judged by it here. */
  async #callBack(settlement: SettlementWire, url: string): Promise<void> {
    const { tx_id, external_tx_id, status, tx_hash, chain, destination_amount, platform_fee, executed_at } = this.#find(settlement.tx_id);
    const body = JSON.stringify({ tx_id, external_tx_id, status, tx_hash, chain, destination_amount, platform_fee, executed_at });
    const keys = { webhookSecrets: [this.#keys.callbackSecret], apiSecret: this.#keys.apiSecret, brand: "Service", signPublicly: null };
    const headers = signAttempt({ id: newId("callback", new Date()), url, body, now: new Date(), ...keys });
    if (targetOf(url).path === "/nowhere") return;
    await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  }
}

const PAIRS = pairListSchema.parse({
  data: [
    {
      ...PAIR,
      minimum_source_amount: 100_000,
      maximum_source_amount: 100_000_000,
      platform_fee: 0.5,
      destination_decimals: 6,
      quote_lifetime_seconds: QUOTE_MS / 1_000,
      quoting: "up",
    },
  ],
});

function ok(body: unknown): Answer {
  return { status: 200, headers: {}, body };
}
