import { NotTerminal } from "./errors.ts";
import type { Operations as PartnerOperations, TopupRequestResponse, WithdrawRequestResponse } from "./generated/partner.ts";
import type { Settlement, Operations as SettlementOperations } from "./generated/settlement.ts";
import { newNonce, sha256Hex } from "./signing.ts";
import { type Call, type Options, sleep, stable, Transport } from "./transport.ts";

type Operations = SettlementOperations & PartnerOperations;
type Id = keyof Operations;
type Body<Name extends Id> = Operations[Name]["body"];
type Query<Name extends Id> = Operations[Name]["query"];
type Result<Name extends Id> = Operations[Name]["result"];

export type Asked = { signal?: AbortSignal };
/**
 * What a call is for, in the caller's own words: an order's number, say. The idempotency key is made of it, so that the same call, made
 * again after a crash, is the same call to the service. Another body under the same intent is refused.
 */
export type Intent = { intent: string };
export type Waiting = Asked & { timeoutMs?: number; everyMs?: number };

const SETTLEMENTS = "/api/v1/settlements";
const MEMBERS = "/partners/members";
const WITHDRAWALS = "/partners/transactions/withdraw-fiat";
const TOPUPS = "/partners/transactions/topup-fiat";

/** The service, as a partner's program speaks with it. One is enough for a process: it remembers how far its clock is off. */
export class SettlementClient {
  readonly #transport: Transport;

  constructor(options: Options) {
    this.#transport = new Transport(options);
  }

  readonly settlements = {
    /** A quote. Two for the same order are two settlements: name the order as `intent`. */
    create: (body: Body<"create_settlement">, { intent, signal }: Intent & Asked): Promise<Settlement> =>
      this.#post<"create_settlement">(SETTLEMENTS, body, intent, signal),
    /** Promises the payment. Confirming again with the same `external_tx_id` confirms nothing more. */
    confirm: (txId: string, body: Body<"confirm_one_settlement">, asked: Asked = {}): Promise<Settlement> =>
      this.#repeatable<"confirm_one_settlement">(`${SETTLEMENTS}/${step(txId)}/confirm`, body, asked),
    cancel: (txId: string, asked: Asked = {}): Promise<Settlement> =>
      this.#repeatable<"cancel_one_settlement">(`${SETTLEMENTS}/${step(txId)}/cancel`, {}, asked),
    get: (txId: string, asked: Asked = {}): Promise<Settlement> => this.#get<"get_settlement">(`${SETTLEMENTS}/${step(txId)}`, {}, asked),
    /** All that fit, newest first, read page by page as you go on. */
    list: (query: Omit<Query<"list_settlements">, "cursor"> = {}, asked: Asked = {}): AsyncGenerator<Settlement, void> =>
      this.#settlements(query, asked),
    callbacks: async (txId: string, asked: Asked = {}): Promise<Result<"list_callbacks">["data"]> =>
      (await this.#get<"list_callbacks">(`${SETTLEMENTS}/${step(txId)}/callbacks`, {}, asked)).data,
    resendCallback: (txId: string, callbackId: string, asked: Asked = {}): Promise<Result<"resend_callback">> =>
      this.#repeatable<"resend_callback">(`${SETTLEMENTS}/${step(txId)}/callbacks/${step(callbackId)}/resend`, undefined, asked),
    /** How it ended: executed, failed or cancelled. @throws NotTerminal where it did not, in the time given or at all. */
    waitForTerminal: (txId: string, waiting: Waiting = {}): Promise<Settlement> =>
      until(() => this.settlements.get(txId, waiting), isSettled, waiting, lapsed),
  };

  readonly prices = {
    pairs: async (asked: Asked = {}): Promise<Result<"list_pairs">["data"]> =>
      (await this.#get<"list_pairs">("/api/v1/pairs", {}, asked)).data,
    preview: (query: Query<"preview_rate">, asked: Asked = {}): Promise<Result<"preview_rate">> =>
      this.#get<"preview_rate">("/api/v1/rates/preview", query, asked),
    rates: (asked: Asked = {}): Promise<Result<"exchange_rates">> => this.#get<"exchange_rates">("/exchange-rates", {}, asked),
    convert: (query: Query<"convert_to_currency">, asked: Asked = {}): Promise<Result<"convert_to_currency">> =>
      this.#get<"convert_to_currency">("/exchange-rates/convert", query, asked),
  };

  readonly members = {
    create: (body: Body<"create_member">, asked: Asked = {}): Promise<Result<"create_member">> =>
      this.#repeatable<"create_member">(MEMBERS, body, asked),
    get: (externalUserId: string, asked: Asked = {}): Promise<Result<"get_member">> =>
      this.#get<"get_member">(`${MEMBERS}/${step(externalUserId)}`, {}, asked),
    safe: (externalUserId: string, asked: Asked = {}): Promise<Result<"get_member_safe_info">> =>
      this.#get<"get_member_safe_info">(`${MEMBERS}/${step(externalUserId)}/safe`, {}, asked),
    list: (query: Pick<Query<"get_members">, "search"> = {}, asked: Asked = {}): AsyncGenerator<Result<"get_members">[number], void> =>
      this.#members(query, asked),
  };

  readonly withdrawals = {
    /** Out of the partner's own Safe. */
    create: (body: Body<"withdraw_fiat">, asked: Asked = {}): Promise<WithdrawRequestResponse> =>
      this.#repeatable<"withdraw_fiat">(WITHDRAWALS, body, asked),
    /** Out of a member's. */
    createForMember: (
      body: Body<"withdraw_fiat_for_registered_member">,
      asked: Asked = {},
    ): Promise<Result<"withdraw_fiat_for_registered_member">> =>
      this.#repeatable<"withdraw_fiat_for_registered_member">(`${WITHDRAWALS}/member`, body, asked),
    get: (id: string, asked: Asked = {}): Promise<WithdrawRequestResponse> =>
      this.#get<"withdraw_fiat_status">(`${WITHDRAWALS}/${step(id)}`, {}, asked),
    pools: (asked: Asked = {}): Promise<Result<"get_withdraw_fiat_pool_info">> =>
      this.#get<"get_withdraw_fiat_pool_info">(`${WITHDRAWALS}/pool`, {}, asked),
    waitForTerminal: (id: string, waiting: Waiting = {}): Promise<WithdrawRequestResponse> =>
      until(() => this.withdrawals.get(id, waiting), isEnded, waiting),
  };

  readonly topups = {
    create: (body: Body<"topup_fiat">, asked: Asked = {}): Promise<TopupRequestResponse> =>
      this.#repeatable<"topup_fiat">(TOPUPS, body, asked),
    get: (id: string, asked: Asked = {}): Promise<TopupRequestResponse> =>
      this.#get<"topup_fiat_status">(`${TOPUPS}/${step(id)}`, {}, asked),
    waitForTerminal: (id: string, waiting: Waiting = {}): Promise<TopupRequestResponse> =>
      until(() => this.topups.get(id, waiting), isEnded, waiting),
  };

  /** The service's clock, unsigned. */
  time(asked: Asked = {}): Promise<Result<"get_time">> {
    return this.#result<"get_time">({ surface: "open", method: "GET", path: "/time", signal: asked.signal });
  }

  /** Whether key, clock and signature are right: what the service read of a signed request. */
  echo(body: unknown = {}, asked: Asked = {}): Promise<Result<"echo">> {
    return this.#repeatable<"echo">("/api/v1/echo", body, asked);
  }

  /** Any operation, by its method and path: what has no name here. A POST wants to know what it is for. */
  async call(call: Omit<Call, "idempotencyKey"> & Partial<Intent>): Promise<unknown> {
    const { intent, ...rest } = call;
    const key = call.method === "POST" ? { idempotencyKey: await this.#key(call.path, intent ?? (await newNonce())) } : {};
    return (await this.#transport.send({ ...rest, ...key })).body;
  }

  async #get<Name extends Id>(path: string, query: object, { signal }: Asked): Promise<Result<Name>> {
    return await this.#result<Name>({ surface: surfaceOf(path), method: "GET", path, query, signal });
  }

  async #post<Name extends Id>(path: string, body: unknown, intent: string, signal?: AbortSignal): Promise<Result<Name>> {
    if (intent === "") throw new TypeError("an intent says something");
    return await this.#result<Name>({
      surface: surfaceOf(path),
      method: "POST",
      path,
      body,
      signal,
      idempotencyKey: await this.#key(path, intent),
    });
  }

  /**
   * What the service itself knows again, by the reference in it. All attempts of this call share a key; a later call has one of its own,
   * so that a refusal that was kept (`approval_pending`, say) is not its answer for a day.
   */
  async #repeatable<Name extends Id>(path: string, body: unknown, { signal }: Asked): Promise<Result<Name>> {
    return await this.#post<Name>(path, body, `${await newNonce()} ${stable(body ?? null)}`, signal);
  }

  /** The answers are checked against the very documents that the types are made of: by the service's tests, not here. */
  async #result<Name extends Id>(call: Call): Promise<Result<Name>> {
    return (await this.#transport.send(call)).body as Result<Name>;
  }

  async #key(path: string, intent: string): Promise<string> {
    return `sdk-${await sha256Hex(`${path}\n${intent}`)}`;
  }

  async *#settlements(query: object, asked: Asked): AsyncGenerator<Settlement, void> {
    let cursor: string | undefined;
    do {
      const page = await this.#get<"list_settlements">(SETTLEMENTS, { limit: 100, ...query, cursor }, asked);
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *#members(query: object, asked: Asked): AsyncGenerator<Result<"get_members">[number], void> {
    const limit = 100;
    for (let skip = 0; ; skip += limit) {
      const page = await this.#get<"get_members">(MEMBERS, { ...query, skip, limit }, asked);
      yield* page;
      if (page.length < limit) return;
    }
  }
}

function surfaceOf(path: string): Call["surface"] {
  return path.startsWith("/api/v1/") ? "settlement" : "partner";
}

/** An id as one step of a path, whatever is in it. */
function step(id: string): string {
  if (id === "" || id === "." || id === "..") throw new TypeError(`${JSON.stringify(id)} is no id`);
  return encodeURIComponent(id);
}

function isSettled({ status }: Settlement): boolean {
  return status === "executed" || status === "failed" || status === "cancelled";
}

/** A quote that nobody can confirm any more stays as it is. One that waits for approval may be priced anew. */
function lapsed({ status, approval_state, expires_at }: Settlement): string | null {
  return status === "quoted" && approval_state !== "pending" && Date.parse(expires_at) < Date.now() ? "the quote has expired" : null;
}

function isEnded({ status }: { status: string }): boolean {
  return status === "completed" || status === "failed";
}

const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 10_000;

async function until<Thing extends { status: string }>(
  look: () => Promise<Thing>,
  isDone: (thing: Thing) => boolean,
  { timeoutMs = 600_000, everyMs = FIRST_LOOK_MS, signal }: Waiting,
  hopeless: (thing: Thing) => string | null = () => null,
): Promise<Thing> {
  const givenUpAt = Date.now() + timeoutMs;
  for (let pause = everyMs; ; pause = Math.min(pause * 1.5, Math.max(everyMs, LONGEST_LOOK_MS))) {
    const found = await look();
    if (isDone(found)) return found;
    const why = hopeless(found);
    if (why !== null) throw new NotTerminal(why, found);
    if (Date.now() + pause > givenUpAt) throw new NotTerminal(`it is ${found.status} after ${timeoutMs} ms`, found);
    await sleep(pause, signal);
  }
}
