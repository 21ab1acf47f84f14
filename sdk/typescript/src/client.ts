import type { Member, TopupRequestResponse, Transaction, WithdrawRequestResponse } from "./generated/partner.ts";
import type { Settlement } from "./generated/settlement.ts";
import { type Asked, type Body, type Intent, type Query, type Result, Sender } from "./sender.ts";
import type { Call, Options } from "./transport.ts";
import { until, type Waiting } from "./waiting.ts";

/** A member whose wallet is known: its Safe is deployed, or it brought a wallet of its own. */
export type MemberWithWallet = Member & { wallet_address: string };

/** The service, as a partner's program speaks with it. One is enough for a process: it remembers how far its clock is off. */
export class SettlementClient {
  readonly #sender: Sender;

  constructor(options: Options) {
    this.#sender = new Sender(options);
  }

  readonly settlements = {
    /** A quote. Two for the same order are two settlements: name the order as `intent`. */
    create: (body: Body<"create_settlement">, asked: Intent & Asked): Promise<Settlement> =>
      this.#sender.callAs("create_settlement", { body }, asked),
    /** Promises the payment. Confirming again with the same `external_tx_id` confirms nothing more. */
    confirm: (txId: string, body: Body<"confirm_one_settlement">, asked: Asked = {}): Promise<Settlement> =>
      this.#sender.call("confirm_one_settlement", { params: { tx_id: txId }, body }, asked),
    cancel: (txId: string, asked: Asked = {}): Promise<Settlement> =>
      this.#sender.call("cancel_one_settlement", { params: { tx_id: txId }, body: {} }, asked),
    get: (txId: string, asked: Asked = {}): Promise<Settlement> => this.#sender.call("get_settlement", { params: { tx_id: txId } }, asked),
    /** The quote, and once executed the receipt, signed for third parties: `verifyProof` checks them. */
    proof: (txId: string, asked: Asked = {}): Promise<Result<"prove_settlement">> =>
      this.#sender.call("prove_settlement", { params: { tx_id: txId } }, asked),
    /** All that fit, newest first, read page by page as you go on. */
    list: (query: Omit<Query<"list_settlements">, "cursor"> = {}, asked: Asked = {}): AsyncGenerator<Settlement, void> =>
      this.#sender.walk("list_settlements", query, asked, ({ body }) => [body.data, body.next_cursor]),
    callbacks: async (txId: string, asked: Asked = {}): Promise<Result<"list_callbacks">["data"]> =>
      (await this.#sender.call("list_callbacks", { params: { tx_id: txId } }, asked)).data,
    resendCallback: (txId: string, callbackId: string, asked: Asked = {}): Promise<Result<"resend_callback">> =>
      this.#sender.call("resend_callback", { params: { tx_id: txId, callback_id: callbackId } }, asked),
    /** One attempt now, whatever the callback's state, with the same id and body. */
    attemptCallback: (txId: string, callbackId: string, asked: Asked = {}): Promise<Result<"attempt_callback">> =>
      this.#sender.call("attempt_callback", { params: { tx_id: txId, callback_id: callbackId } }, asked),
    /** How it ended: executed, failed or cancelled. @throws NotTerminal where it did not, in the time given or at all. */
    waitForTerminal: (txId: string, waiting: Waiting = {}): Promise<Settlement> =>
      until(
        () => this.settlements.get(txId, waiting),
        statusOf,
        SETTLED,
        waiting,
        (found) => this.#lapsed(found, waiting),
      ),
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
    /** What is left out stays as it is; null takes a name or an e-mail address away. */
    update: (externalUserId: string, body: Body<"update_member">, asked: Asked = {}): Promise<Result<"update_member">> =>
      this.#sender.call("update_member", { params: { external_user_id: externalUserId }, body }, asked),
    safe: (externalUserId: string, asked: Asked = {}): Promise<Result<"get_member_safe_info">> =>
      this.#sender.call("get_member_safe_info", { params: { external_user_id: externalUserId } }, asked),
    /** The member once its wallet can be paid to: at once, where it brought its own. @throws NotTerminal where its Safe cannot be deployed. */
    waitForSafe: async (externalUserId: string, waiting: Waiting = {}): Promise<MemberWithWallet> => {
      const member = await until(() => this.members.get(externalUserId, waiting), safeOf, SAFE_READY, waiting, neverDeployed);
      return { ...member, wallet_address: member.wallet_address ?? "" };
    },
    list: (query: Pick<Query<"get_members">, "search"> = {}, asked: Asked = {}): AsyncGenerator<Result<"get_members">[number], void> =>
      this.#sender.walk("get_members", query, asked, ({ body, headers }) => [body, headers.get("x-next-cursor") ?? undefined]),
  };

  readonly withdrawals = {
    /** Out of the partner's own Safe. Asked for again with the same `external_id`, after a crash say, it is the same withdrawal. */
    create: (body: Body<"withdraw_fiat">, asked: Asked = {}): Promise<WithdrawRequestResponse> =>
      this.#sender.call("withdraw_fiat", { body }, asked),
    /** Out of a member's. */
    createForMember: (
      body: Body<"withdraw_fiat_for_registered_member">,
      asked: Asked = {},
    ): Promise<Result<"withdraw_fiat_for_registered_member">> => this.#sender.call("withdraw_fiat_for_registered_member", { body }, asked),
    get: (id: string, asked: Asked = {}): Promise<WithdrawRequestResponse> =>
      this.#sender.call("withdraw_fiat_status", { params: { id } }, asked),
    pools: (asked: Asked = {}): Promise<Result<"get_withdraw_fiat_pool_info">> =>
      this.#sender.call("get_withdraw_fiat_pool_info", {}, asked),
    waitForTerminal: (id: string, waiting: Waiting = {}): Promise<WithdrawRequestResponse> =>
      until(() => this.withdrawals.get(id, waiting), statusOf, ENDED, waiting),
  };

  readonly topups = {
    /** Into a member's wallet. Asked for again with the same `external_id`, after a crash say, it is the same top-up. */
    create: (body: Body<"topup_fiat">, asked: Asked = {}): Promise<TopupRequestResponse> =>
      this.#sender.call("topup_fiat", { body }, asked),
    get: (id: string, asked: Asked = {}): Promise<TopupRequestResponse> =>
      this.#sender.call("topup_fiat_status", { params: { id } }, asked),
    waitForTerminal: (id: string, waiting: Waiting = {}): Promise<TopupRequestResponse> =>
      until(() => this.topups.get(id, waiting), statusOf, ENDED, waiting),
  };

  /** Your API keys, and the secret that your callbacks are signed with. */
  readonly keys = {
    list: (query: Query<"list_api_keys"> = {}, asked: Asked = {}): Promise<Result<"list_api_keys">> =>
      this.#sender.call("list_api_keys", { query }, asked),
    /** A successor with the same rights. The answer shows its secret; the same `intent` shows it again, for a day. */
    rotate: (id: string, body: Body<"rotate_api_key">, asked: Intent & Asked): Promise<Result<"rotate_api_key">> =>
      this.#sender.callAs("rotate_api_key", { params: { id }, body }, asked),
    /** Ends a key at once. */
    revoke: async (id: string, asked: Asked = {}): Promise<void> => {
      await this.#sender.call("delete_api_key", { params: { id } }, asked);
    },
    /** A new secret for callbacks; `partnerId` is `id` of `partner()`. The answer shows it; the same `intent` shows it again, for a day. */
    rotateCallbackSecret: (
      partnerId: string,
      body: Body<"rotate_callback_secret">,
      asked: Intent & Asked,
    ): Promise<Result<"rotate_callback_secret">> =>
      this.#sender.callAs("rotate_callback_secret", { params: { partner_id: partnerId }, body }, asked),
  };

  /** Settlements, withdrawals and top-ups that fit, newest first, read page by page as you go on. */
  transactions(
    query: Omit<Query<"get_all_transactions">, "skip" | "limit" | "partner_id"> = {},
    asked: Asked = {},
  ): AsyncGenerator<Transaction, void> {
    return this.#sender.walk("get_all_transactions", query, asked, ({ body }) => [body.items, body.next_cursor]);
  }

  /** You yourself: `wallet_address` is your own Safe, `charge_fee_percentage` your fee on withdrawals and top-ups. */
  partner(asked: Asked = {}): Promise<Result<"current_partner">> {
    return this.#sender.call("current_partner", {}, asked);
  }

  /** The service's clock, unsigned. */
  time(asked: Asked = {}): Promise<Result<"get_time">> {
    return this.#sender.call("get_time", {}, asked);
  }

  /**
   * The public keys that proofs are checked with, unsigned; with your partner id (`id` of `GET /partners/current`) those of your callbacks
   * as well. Take it from your settings: another partner's keys hold for another partner's callbacks.
   */
  publicKeys(partnerId?: string, asked: Asked = {}): Promise<Result<"get_jwks">> {
    const query = { partner: partnerId };
    return this.#sender.call("get_jwks", { query }, asked);
  }

  /** Whether a proof still holds, for anyone who has it, unsigned: of a quote and of a receipt alike. */
  proofStatus(proof: string, asked: Asked = {}): Promise<Result<"get_proof_status">> {
    const body = { proof };
    return this.#sender.call("get_proof_status", { body }, asked);
  }

  /** Whether key, clock and signature are right: what the service read of a signed request. */
  echo(body: unknown = {}, asked: Asked = {}): Promise<Result<"echo">> {
    return this.#sender.call("echo", { body }, asked);
  }

  /**
   * Any operation, by its method and path: what has no name here. Without an `intent`, a POST has an idempotency key of its own, which its
   * attempts share.
   */
  async call(call: Omit<Call, "idempotencyKey"> & Partial<Intent>): Promise<unknown> {
    return await this.#sender.any(call);
  }

  /** A quote that has run out, by the service's clock, stays as it is. One that waits for approval may get another price. */
  async #lapsed({ status, approval_state, expires_at }: Settlement, asked: Asked): Promise<string | null> {
    const end = Date.parse(expires_at);
    if (status !== "quoted" || approval_state === "pending" || end >= this.#sender.now()) return null;
    return end < (await this.time(asked)).epoch_seconds * 1_000 ? "the quote has expired" : null;
  }
}

const SETTLED = ["executed", "failed", "cancelled"];
const ENDED = ["completed", "failed"];
const SAFE_READY = ["deployed", "its own"];

function statusOf({ status }: { status: string }): string {
  return status;
}

function safeOf({ safe_status, wallet_address }: Member): string {
  return wallet_address === null ? "without an address" : (safe_status ?? "its own");
}

function neverDeployed({ safe_status }: Member): string | null {
  return safe_status === "failed" ? "the member's Safe could not be deployed" : null;
}
