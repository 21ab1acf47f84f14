import { randomUUID } from "node:crypto";
import { z } from "zod";
import { railSignature } from "#domain/rail-signature.ts";
import { type FiatAnswer, type FiatOrder, type FiatRail, Rejected, Unreachable } from "#server/ports.ts";

/** A mobile-money or bank aggregator. */
export type HttpRailConfig = {
  /** Without a slash at its end. */
  url: string;
  secret: string;
  /** Under `url`. */
  paths: { collect: string; payOut: string; lookUp: string; balance: string | null };
  timeoutMs: number;
  /** Where the provider sends its callbacks: our public address, without a trailing slash. */
  callbackBaseUrl: string;
  /** What goes along as `traceparent`. */
  tracePlace?: () => string | null;
};

const MOST_BYTES = 65_536;
/** Statuses that refuse exactly this order. Any other non-2xx says nothing about it. */
const REFUSALS = [400, 410, 422];
/** The provider has or had the order: its report about the order counts, and never this answer. */
const CONFLICT = 409;

const answerSchema = z.object({
  order_id: z.string(),
  status: z.enum(["pending", "succeeded", "failed", "unknown"]),
  reference: z.string().max(256).nullish(),
  reason: z.string().nullish(),
  instructions: z.string().max(1_000).nullish(),
});
const balancesSchema = z.object({
  request_id: z.string(),
  balances: z.array(z.object({ currency: z.string().max(16), amount: z.int().min(-Number.MAX_SAFE_INTEGER) })).max(200),
});
const refusalSchema = z.object({ reason: z.string() });

/**
 * The fiat rail over HTTP: every request is a POST with `X-Signature`, the hex HMAC-SHA512 of its body, and `Idempotency-Key`, our order
 * id. It ends within the timeout whatever the provider does, and follows no redirect. An answer about another order, of another form or
 * over 64 KiB is ignored.
 */
export function createHttpRail(config: HttpRailConfig): FiatRail {
  const lookUp = async (orderId: string): Promise<FiatAnswer | null> => {
    const { status, json } = await post(config, config.paths.lookUp, orderId, { order_id: orderId });
    return status === 404 ? null : read(status, json, orderId);
  };
  const give = async (path: string, callback: string, order: FiatOrder): Promise<FiatAnswer> => {
    const { type, account, name } = order.account;
    const { status, json } = await post(config, path, order.id, {
      order_id: order.id,
      amount: Number(order.amountMinor),
      currency: order.currency,
      account: { type, account, ...(name === null ? {} : { name }) },
      callback_url: `${config.callbackBaseUrl}${callback}`,
    });
    if (REFUSALS.includes(status)) throw new Rejected(refusalSchema.safeParse(json).data?.reason ?? "");
    const answer = status === CONFLICT ? await lookUp(order.id) : read(status, json, order.id);
    if (answer === null) throw new Unreachable("the fiat provider does not know an order that it was just given");
    return answer;
  };
  return {
    collect: (order) => give(config.paths.collect, "/partners/transactions/topup-fiat/callback", order),
    payOut: (order) => give(config.paths.payOut, "/partners/transactions/withdraw-fiat/callback", order),
    lookUp,
    ...(config.paths.balance === null ? {} : { balances: () => askBalances(config, config.paths.balance ?? "") }),
  };
}

/** An answer that was kept from an earlier request names another request, and counts for nothing. */
async function askBalances(config: HttpRailConfig, path: string): Promise<{ currency: string; amountMinor: bigint }[]> {
  const id = randomUUID();
  const { status, json } = await post(config, path, id, { request_id: id });
  if (status < 200 || status > 299) throw new Unreachable(`the fiat provider answered HTTP ${status}`);
  const answer = balancesSchema.safeParse(json).data;
  if (answer === undefined) throw new Unreachable("the fiat provider's balance has another form than agreed");
  if (answer.request_id !== id) throw new Unreachable("the fiat provider answered another request about its balance");
  return answer.balances.map(({ currency, amount }) => ({ currency, amountMinor: BigInt(amount) }));
}

/** Null: the provider does not know the order. */
function read(status: number, json: unknown, orderId: string): FiatAnswer | null {
  if (status < 200 || status > 299) throw new Unreachable(`the fiat provider answered HTTP ${status}`);
  const answer = answerSchema.safeParse(json).data;
  if (answer === undefined) throw new Unreachable("the fiat provider's answer has another form than agreed");
  if (answer.order_id !== orderId) throw new Unreachable("the fiat provider answered about another order");
  const reference = answer.reference ?? null;
  if (answer.status === "unknown") return null;
  if (answer.status === "pending") return { status: "pending", reference, instructions: answer.instructions ?? null };
  return { status: answer.status, reference, reason: answer.reason ?? null, instructions: null };
}

async function post(config: HttpRailConfig, path: string, orderId: string, message: object): Promise<{ status: number; json: unknown }> {
  const body = JSON.stringify(message);
  const traceparent = config.tracePlace?.() ?? null;
  try {
    const response = await fetch(`${config.url}${path}`, {
      method: "POST",
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(config.timeoutMs),
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "Idempotency-Key": orderId,
        "X-Signature": railSignature(config.secret, body),
        ...(traceparent === null ? {} : { traceparent }),
      },
    });
    return { status: response.status, json: parseJson(await readText(response)) };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Unreachable(`the fiat provider cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Unreachable("the fiat provider's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const TIMEOUT_MS = 5_000;

/** How the sandbox's simulated provider reaches us: over HTTP, signed, like anybody else. */
export function createProviderCaller(options: { baseUrl: string; secret: string }): (path: string, body: string) => Promise<number | null> {
  return async (path, body) => {
    try {
      const response = await fetch(`${options.baseUrl}${path}`, {
        method: "POST",
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { "Content-Type": "application/json", "X-Signature": railSignature(options.secret, body) },
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  };
}
