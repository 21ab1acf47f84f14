import { type EventDestinations, eventDestinationsOf } from "./event-destinations.ts";
import { type CursorStore, type Following, followPages } from "./following.ts";
import type { Member, TopupRequestResponse, Transaction, WithdrawRequestResponse } from "./generated/partner.ts";
import type { Settlement } from "./generated/settlement.ts";
import { type Keys, keysOf } from "./keys.ts";
import { type Asked, type Body, type Intent, type Query, type Result, Sender } from "./sender.ts";
import type { Call, Options } from "./transport.ts";
import { until, type Waiting } from "./waiting.ts";

/** A member with a known wallet: its Safe is deployed, or it brought its own. */
export type MemberWithWallet = Member & { wallet_address: string };

/** The service, for a partner's program. One per process is enough: it remembers how far its clock is off. */
export class SettlementClient {
  readonly #sender: Sender;
  /** Where your events are sent, next to the list of them: a URL of yours, RabbitMQ or NATS. */
  readonly eventDestinations: EventDestinations;
  /** Your API keys, and the secret that your callbacks are signed with. */
  readonly keys: Keys;

  constructor(options: Options) {
    this.#sender = new Sender(options);
    this.eventDestinations = eventDestinationsOf(this.#sender);
    this.keys = keysOf(this.#sender);
  }

  readonly settlements = {
    /**
     * Creates a settlement and returns its quote. Use your order's id as `intent`: without it, a repeated call makes a second settlement.
     */
    create: (body: Body<"create_settlement">, asked: Intent & Asked): Promise<Settlement> =>
      this.#sender.callAs("create_settlement", { body }, asked),
    /** Confirms the quote, which starts the payment. Repeating it with the same `external_tx_id` has no effect. */
    confirm: (txId: string, body: Body<"confirm_one_settlement">, asked: Asked = {}): Promise<Settlement> =>
      this.#sender.call("confirm_one_settlement", { params: { tx_id: txId }, body }, asked),
    cancel: (txId: string, asked: Asked = {}): Promise<Settlement> =>
      this.#sender.call("cancel_one_settlement", { params: { tx_id: txId }, body: {} }, asked),
    get: (txId: string, asked: Asked = {}): Promise<Settlement> => this.#sender.call("get_settlement", { params: { tx_id: txId } }, asked),
    /** The quote, and once executed the receipt, signed for third parties: `verifyProof` verifies them. */
    proof: (txId: string, asked: Asked = {}): Promise<Result<"prove_settlement">> =>
      this.#sender.call("prove_settlement", { params: { tx_id: txId } }, asked),
    /** All that match, newest first, read page by page as you iterate. */
    list: (query: Omit<Query<"list_settlements">, "cursor"> = {}, asked: Asked = {}): AsyncGenerator<Settlement, void> =>
      this.#sender.walk("list_settlements", query, asked, ({ body }) => [body.data, body.next_cursor]),
    callbacks: async (txId: string, asked: Asked = {}): Promise<Result<"list_callbacks">["data"]> =>
      (await this.#sender.call("list_callbacks", { params: { tx_id: txId } }, asked)).data,
    resendCallback: (txId: string, callbackId: string, asked: Asked = {}): Promise<Result<"resend_callback">> =>
      this.#sender.call("resend_callback", { params: { tx_id: txId, callback_id: callbackId } }, asked),
    /** One attempt now, whatever the callback's state, with the same id and body. */
    attemptCallback: (txId: string, callbackId: string, asked: Asked = {}): Promise<Result<"attempt_callback">> =>
      this.#sender.call("attempt_callback", { params: { tx_id: txId, callback_id: callbackId } }, asked),
    /** Waits for the end: executed, failed or cancelled. @throws NotTerminal if there is none in time, or ever. */
    waitForTerminal: (txId: string, waiting: Waiting = {}): Promise<Settlement> =>
      until(
        () => this.settlements.get(txId, waiting),
        statusOf,
        SETTLED,
        waiting,
        (found) => this.#lapsed(found, waiting),
      ),
  };

  /** Up to 500 settlements that are made, confirmed and cancelled together. */
  readonly batches = {
    /** All or none. A repeat with the same `external_batch_id` and body, for example after a crash, is the same batch. */
    create: (body: Body<"create_batch">, asked: Asked = {}): Promise<Result<"create_batch">> =>
      this.#sender.call("create_batch", { body }, asked),
    /** What they would cost. Nothing is stored. */
    estimate: (body: Body<"estimate_batch">, asked: Asked = {}): Promise<Result<"estimate_batch">> =>
      this.#sender.call("estimate_batch", { body }, asked),
    /** Starts all payments, or none. Refused with `quote_changed` if the sums are not those of `expected_total`. */
    confirm: (batchId: string, body: Body<"confirm_batch"> = {}, asked: Asked = {}): Promise<Result<"confirm_batch">> =>
      this.#sender.call("confirm_batch", { params: { batch_id: batchId }, body }, asked),
    cancel: (batchId: string, asked: Asked = {}): Promise<Result<"cancel_batch">> =>
      this.#sender.call("cancel_batch", { params: { batch_id: batchId }, body: {} }, asked),
    /** New quotes for the items whose quote has expired. */
    requote: (batchId: string, asked: Asked = {}): Promise<Result<"requote_batch">> =>
      this.#sender.call("requote_batch", { params: { batch_id: batchId }, body: {} }, asked),
    /** Without its items: `settlements.list({ batch_id })` lists them. */
    get: (batchId: string, asked: Asked = {}): Promise<Result<"get_batch">> =>
      this.#sender.call("get_batch", { params: { batch_id: batchId } }, asked),
    /** All that match, newest first, read page by page as you iterate. */
    list: (query: Omit<Query<"list_batches">, "cursor"> = {}, asked: Asked = {}): AsyncGenerator<Result<"get_batch">, void> =>
      this.#sender.walk("list_batches", query, asked, ({ body }) => [body.data, body.next_cursor]),
    /**
     * Waits for the end: completed or cancelled. A completed batch may have items that failed (`counts`). @throws NotTerminal if there is no
     * end in time, or ever.
     */
    waitForTerminal: (batchId: string, waiting: Waiting = {}): Promise<Result<"get_batch">> =>
      until(
        () => this.batches.get(batchId, waiting),
        statusOf,
        CLOSED,
        waiting,
        (found) => this.#lapsed(found, waiting),
      ),
  };

  readonly events = {
    /** Every change, oldest first, for ever; it waits for the next one. `store` keeps the place, so a new process goes on where this one was. */
    follow: (store: CursorStore, query: Following = {}, asked: Asked = {}): AsyncGenerator<Result<"get_event">, void> =>
      followPages((cursor) => this.#sender.call("list_events", { query: { wait: 20, ...query, ...(cursor && { cursor }) } }, asked), store),
    get: (eventId: string, asked: Asked = {}): Promise<Result<"get_event">> =>
      this.#sender.call("get_event", { params: { event_id: eventId } }, asked),
  };

  /** Callbacks of settlements, batches, withdrawals and top-ups. */
  readonly callbacks = {
    /** All that match, newest first, read page by page as you iterate. */
    list: (query: Omit<Query<"list_all_callbacks">, "cursor"> = {}, asked: Asked = {}): AsyncGenerator<Result<"get_callback">, void> =>
      this.#sender.walk("list_all_callbacks", query, asked, ({ body }) => [body.data, body.next_cursor]),
    get: (callbackId: string, asked: Asked = {}): Promise<Result<"get_callback">> =>
      this.#sender.call("get_callback", { params: { callback_id: callbackId } }, asked),
    /** Six new attempts, with the same id and body. */
    resend: (callbackId: string, asked: Asked = {}): Promise<Result<"resend_any_callback">> =>
      this.#sender.call("resend_any_callback", { params: { callback_id: callbackId } }, asked),
    /** One attempt now, in addition to the six. */
    attempt: (callbackId: string, asked: Asked = {}): Promise<Result<"attempt_any_callback">> =>
      this.#sender.call("attempt_any_callback", { params: { callback_id: callbackId } }, asked),
  };

  readonly prices = {
    pairs: async (asked: Asked = {}): Promise<Result<"list_pairs">["data"]> => (await this.#sender.call("list_pairs", {}, asked)).data,
    preview: (query: Query<"preview_rate">, asked: Asked = {}): Promise<Result<"preview_rate">> =>
      this.#sender.call("preview_rate", { query }, asked),
    rates: (asked: Asked = {}): Promise<Result<"exchange_rates">> => this.#sender.call("exchange_rates", {}, asked),
    convert: (query: Query<"convert_to_currency">, asked: Asked = {}): Promise<Result<"convert_to_currency">> =>
      this.#sender.call("convert_to_currency", { query }, asked),
  };

  readonly members = {
    create: (body: Body<"create_member">, asked: Asked = {}): Promise<Result<"create_member">> =>
      this.#sender.call("create_member", { body }, asked),
    get: (externalUserId: string, asked: Asked = {}): Promise<Result<"get_member">> =>
      this.#sender.call("get_member", { params: { external_user_id: externalUserId } }, asked),
    /** Omitted fields stay as they are; null removes a name or an e-mail address. */
    update: (externalUserId: string, body: Body<"update_member">, asked: Asked = {}): Promise<Result<"update_member">> =>
      this.#sender.call("update_member", { params: { external_user_id: externalUserId }, body }, asked),
    safe: (externalUserId: string, asked: Asked = {}): Promise<Result<"get_member_safe_info">> =>
      this.#sender.call("get_member_safe_info", { params: { external_user_id: externalUserId } }, asked),
    /** The member once its wallet can be paid: at once if it brought its own. @throws NotTerminal if its Safe cannot be deployed. */
    waitForSafe: async (externalUserId: string, waiting: Waiting = {}): Promise<MemberWithWallet> => {
      const member = await until(() => this.members.get(externalUserId, waiting), safeOf, SAFE_READY, waiting, neverDeployed);
      return { ...member, wallet_address: member.wallet_address ?? "" };
    },
    list: (query: Pick<Query<"get_members">, "search"> = {}, asked: Asked = {}): AsyncGenerator<Result<"get_members">[number], void> =>
      this.#sender.walk("get_members", query, asked, ({ body, headers }) => [body, headers.get("x-next-cursor") ?? undefined]),
  };

  readonly withdrawals = {
    /** From the partner's own Safe. A repeat with the same `external_id`, for example after a crash, is the same withdrawal. */
    create: (body: Body<"withdraw_fiat">, asked: Asked = {}): Promise<WithdrawRequestResponse> =>
      this.#sender.call("withdraw_fiat", { body }, asked),
    /** From a member's. */
    createForMember: (
      body: Body<"withdraw_fiat_for_registered_member">,
      asked: Asked = {},
    ): Promise<Result<"withdraw_fiat_for_registered_member">> => this.#sender.call("withdraw_fiat_for_registered_member", { body }, asked),
    get: (id: string, asked: Asked = {}): Promise<WithdrawRequestResponse> =>
      this.#sender.call("withdraw_fiat_status", { params: { id } }, asked),
    /** What a withdrawal would take now, with your fee. Nothing is stored. */
    preview: (query: Query<"withdraw_fiat_preview">, asked: Asked = {}): Promise<Result<"withdraw_fiat_preview">> =>
      this.#sender.call("withdraw_fiat_preview", { query }, asked),
    /** While its crypto is still in the Safe. A repeat answers the same. @throws Refused (`invalid_state`) after that. */
    cancel: (id: string, asked: Asked = {}): Promise<WithdrawRequestResponse> =>
      this.#sender.call("withdraw_fiat_cancel", { params: { id } }, asked),
    pools: (asked: Asked = {}): Promise<Result<"get_withdraw_fiat_pool_info">> =>
      this.#sender.call("get_withdraw_fiat_pool_info", {}, asked),
    waitForTerminal: (id: string, waiting: Waiting = {}): Promise<WithdrawRequestResponse> =>
      until(() => this.withdrawals.get(id, waiting), statusOf, ENDED, waiting),
  };

  readonly topups = {
    /** Into a member's wallet. A repeat with the same `external_id`, for example after a crash, is the same top-up. */
    create: (body: Body<"topup_fiat">, asked: Asked = {}): Promise<TopupRequestResponse> =>
      this.#sender.call("topup_fiat", { body }, asked),
    /** What a top-up would send now, with your fee. Nothing is stored. */
    preview: (query: Query<"topup_fiat_preview">, asked: Asked = {}): Promise<Result<"topup_fiat_preview">> =>
      this.#sender.call("topup_fiat_preview", { query }, asked),
    cancel: (id: string, asked: Asked = {}): Promise<TopupRequestResponse> =>
      this.#sender.call("topup_fiat_cancel", { params: { id } }, asked),
    get: (id: string, asked: Asked = {}): Promise<TopupRequestResponse> =>
      this.#sender.call("topup_fiat_status", { params: { id } }, asked),
    waitForTerminal: (id: string, waiting: Waiting = {}): Promise<TopupRequestResponse> =>
      until(() => this.topups.get(id, waiting), statusOf, ENDED, waiting),
  };

  /** Settlements, withdrawals and top-ups that match, newest first, read page by page as you iterate. */
  transactions(
    query: Omit<Query<"get_all_transactions">, "skip" | "limit" | "partner_id"> = {},
    asked: Asked = {},
  ): AsyncGenerator<Transaction, void> {
    return this.#sender.walk("get_all_transactions", query, asked, ({ body }) => [body.items, body.next_cursor]);
  }

  /** Your own partner: `wallet_address` is your Safe, `charge_fee_percentage` your fee on withdrawals and top-ups. */
  partner(asked: Asked = {}): Promise<Result<"current_partner">> {
    return this.#sender.call("current_partner", {}, asked);
  }

  /** The service's clock, unsigned. */
  time(asked: Asked = {}): Promise<Result<"get_time">> {
    return this.#sender.call("get_time", {}, asked);
  }

  /**
   * The public keys for verifying proofs, unsigned; with your partner id (`id` of `GET /partners/current`) those of your callbacks as well.
   * Take the id from your settings: another partner's keys verify that partner's callbacks.
   */
  publicKeys(partnerId?: string, asked: Asked = {}): Promise<Result<"get_jwks">> {
    return this.#sender.call("get_jwks", { query: { partner: partnerId } }, asked);
  }

  /** Whether a quote or a receipt is still valid, for anyone who has it. Unsigned. */
  proofStatus(proof: string, asked: Asked = {}): Promise<Result<"get_proof_status">> {
    return this.#sender.call("get_proof_status", { body: { proof } }, asked);
  }

  /** Tests key, clock and signature: returns what the service read of a signed request. */
  echo(body: unknown = {}, asked: Asked = {}): Promise<Result<"echo">> {
    return this.#sender.call("echo", { body }, asked);
  }

  /**
   * Any operation without a method of its own, by HTTP method and path. Without an `intent`, a POST gets a new idempotency key, which its
   * attempts share.
   */
  async call(call: Omit<Call, "idempotencyKey"> & Partial<Intent>): Promise<unknown> {
    return await this.#sender.any(call);
  }

  /** An expired quote, by the service's clock, stays as it is. One that waits for approval may get another price. */
  async #lapsed({ status, approval_state, expires_at }: Quoted, asked: Asked): Promise<string | null> {
    const end = Date.parse(expires_at);
    if (status !== "quoted" || approval_state === "pending" || end >= this.#sender.now()) return null;
    return end < (await this.time(asked)).epoch_seconds * 1_000 ? "the quote has expired" : null;
  }
}

type Quoted = Pick<Settlement, "approval_state" | "expires_at"> & { status: string };
const SETTLED = ["executed", "failed", "cancelled"];
const CLOSED = ["completed", "cancelled"];
const ENDED = ["completed", "failed"];
const SAFE_READY = ["deployed", "its own"];

const statusOf = ({ status }: { status: string }): string => status;
const safeOf = ({ safe_status, wallet_address }: Member): string =>
  wallet_address === null ? "without an address" : (safe_status ?? "its own");
const neverDeployed = ({ safe_status }: Member): string | null =>
  safe_status === "failed" ? "the member's Safe could not be deployed" : null;
