// Written by scripts/openapi.ts out of the service's OpenAPI document: not to be changed by hand.

export type Partner = {
  id: string;
  name: string;
  roles: Array<PartnerRole>;
  slug: string;
  /** The partner's own Safe; empty when it has none */
  wallet_address: string;
  /** The partner's fee on top-ups and withdrawals, 0 to 100 */
  charge_fee_percentage: number;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  /** ISO 8601 in UTC, with milliseconds */
  updated_at: string;
  status: "active" | "suspended";
};

export type PartnerCreate = {
  name: string;
  /** Unique; lower-case letters, digits and dashes */
  slug: string;
  roles: Array<PartnerRole>;
  /** The partner's own Safe */
  wallet_address?: string | undefined;
  /** 0 when left out */
  charge_fee_percentage?: number | undefined;
};

export type PartnerRole = "AGGREGATOR" | "LIQUIDITY_PROVIDER";

export type UpdateChargingFee = {
  /** 0 to 100, at most 4 decimals */
  charge_fee_percentage: number;
};

export type Member = {
  id: string;
  external_user_id: string;
  /** E.164 */
  phone: string;
  name: string | null;
  email: string | null;
  /** Null until the member's Safe has its address */
  wallet_address: string | null;
  /** CAIP-2 */
  chain: string;
  /** Null for a member that brought its own wallet */
  safe_status: "deploying" | "deployed" | "failed" | null;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  /** ISO 8601 in UTC, with milliseconds */
  updated_at: string;
};

export type MemberCreate = {
  external_user_id: string;
  /** E.164; spaces, dots, dashes and brackets are passed over */
  phone: string;
  name?: string | null | undefined;
  email?: string | null | undefined;
  /** Left out: a Safe is deployed for the member */
  wallet_address?: string | null | undefined;
  /** Where the wallet is or the Safe will be; the installation's first chain when left out */
  chain?: string | null | undefined;
};

export type MemberUpdate = {
  /** E.164; spaces, dots, dashes and brackets are passed over */
  phone?: string | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
};

export type SafeInfo = {
  address: string;
  fallback_handler: string;
  guard: string;
  master_copy: string;
  modules: Array<string>;
  nonce: number;
  owners: Array<string>;
  threshold: number;
  version: string;
};

export type EthTx = {
  /** Of the attempt in the block; before that, of the latest. A raised fee changes it, and nothing else */
  tx_hash: string;
  /** Holds from the signature on */
  contract_address: string;
  tx: {
    from: string;
    /** Null where the transaction itself is the creation */
    to: string | null;
    data: string;
    value: number;
    gas: number;
    nonce: number;
    chainId: number;
  };
};

export type ApiKeyCreate = {
  /** Null for an operator's key */
  partner_id: string | null;
  /** What people will know it by */
  name?: string | undefined;
  /** A partner's key: settlements:read, settlements:write, partner:read, partner:write; an operator's: settlements:decide, partners:admin, treasury, read. Left out: all of them; in live mode all but partner:write, of an operator's key read alone */
  scopes?: Array<"settlements:read" | "settlements:write" | "partner:read" | "partner:write" | "settlements:decide" | "partners:admin" | "treasury" | "read"> | undefined;
  /** Addresses and CIDR ranges; any when left out */
  allowed_ips?: Array<string> | undefined;
  /** Whether what it changes on this surface has to be signed as on the settlement surface; left out: in live mode */
  signed_management?: boolean | undefined;
  /** ISO 8601 with its zone, in the future; never when left out */
  expires_at?: string | null | undefined;
};

export type ApiKeyView = {
  id: string;
  partner_id: string | null;
  name: string;
  /** At creation and rotation, this once */
  api_key?: string | undefined;
  /** At creation and rotation, this once */
  api_secret?: string | undefined;
  /** SHA-256, hex */
  api_key_hash: string;
  last_four: string;
  scopes: Array<"settlements:read" | "settlements:write" | "partner:read" | "partner:write" | "settlements:decide" | "partners:admin" | "treasury" | "read">;
  allowed_ips: Array<string>;
  /** Whether what it changes on this surface has to be signed */
  signed_management: boolean;
  /** The key that this one took the place of */
  rotated_from: string | null;
  /** Where the key works only once a second person has confirmed it */
  proposal_id?: string | undefined;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
};

export type AuthCreate = {
  username: string;
  /** Refused when it is common or easily guessed */
  password: string;
  name: string;
  role: "admin" | "approver" | "viewer";
};

export type AuthView = {
  id: string;
  /** Null for an operator's API key */
  username: string | null;
  name: string;
  role: "admin" | "approver" | "viewer";
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  /** Where the account is made only once a second person has confirmed it */
  proposal_id?: string | undefined;
};

export type Body_login_for_access_token_login_post = {
  /** The e-mail address */
  username: string;
  password: string;
  /** The one-time code, where one is set up */
  otp?: string | undefined;
  grant_type?: string | undefined;
  scope?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
};

export type LoginResponse = {
  access_token: string;
  token_type: "bearer";
  /** Seconds */
  expires_in: number;
};

/** ISO 4217 code */
export type FiatCurrency = string;

/** Symbol of a token or coin, such as USDT */
export type CryptoCurrency = string;

export type ExchangeRate = {
  source_currency: FiatCurrency;
  destination_currency: CryptoCurrency;
  /** Destination units per one major unit of the source */
  rate: number;
  /** Where the rate comes from */
  source: string;
  /** ISO 8601 in UTC, with milliseconds */
  as_of: string;
};

export type WithdrawCreate = {
  /** Unique among the partner's withdrawals */
  external_id: string;
  /** To pay out, in minor units */
  amount: number;
  currency: FiatCurrency;
  /** What is taken from the Safe */
  source_currency: CryptoCurrency;
  /** CAIP-2 */
  chain: string;
  destination: {
    type: "mobile_money" | "bank_account";
    account: string;
    name: string;
  };
  /** An absolute https URL of a public host */
  callback_url?: string | undefined;
};

export type WithdrawPartnerCreate = {
  /** Unique among the partner's withdrawals */
  external_id: string;
  /** To pay out, in minor units */
  amount: number;
  currency: FiatCurrency;
  /** What is taken from the Safe */
  source_currency: CryptoCurrency;
  /** CAIP-2 */
  chain: string;
  destination: {
    type: "mobile_money" | "bank_account";
    account: string;
    name: string;
  };
  /** An absolute https URL of a public host */
  callback_url?: string | undefined;
  external_user_id: string;
};

export type WithdrawRequestResponse = {
  /** wd_… */
  id: string;
  status: "pending" | "processing" | "completed" | "failed";
  external_id: string;
  /** Null where the partner's own Safe pays */
  external_user_id: string | null;
  amount: number;
  currency: string;
  source_currency: string;
  /** Taken from the Safe, in crypto units */
  source_amount: number;
  chain: string;
  destination: {
    type: string;
    account: string;
    name: string;
  };
  callback_url: string | null;
  /** What gave the crypto back after a payout that failed; null: nothing was given back */
  return_tx_hash: string | null;
  exchange_rate: number;
  /** The partner's fee, in minor units */
  fee: number;
  tx_hash: string | null;
  provider_reference: string | null;
  failure_reason: string | null;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  /** ISO 8601 in UTC, with milliseconds */
  updated_at: string;
  completed_at: string | null;
};

export type WithdrawPartnerResponse = {
  /** wd_… */
  id: string;
  status: "pending" | "processing" | "completed" | "failed";
  external_id: string;
  external_user_id: string;
  amount: number;
  currency: string;
  source_currency: string;
  /** Taken from the Safe, in crypto units */
  source_amount: number;
  chain: string;
  destination: {
    type: string;
    account: string;
    name: string;
  };
  callback_url: string | null;
  /** What gave the crypto back after a payout that failed; null: nothing was given back */
  return_tx_hash: string | null;
  exchange_rate: number;
  /** The partner's fee, in minor units */
  fee: number;
  tx_hash: string | null;
  provider_reference: string | null;
  failure_reason: string | null;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  /** ISO 8601 in UTC, with milliseconds */
  updated_at: string;
  completed_at: string | null;
};

export type TopupRequestCreate = {
  /** Unique among the partner's top-ups */
  external_id: string;
  external_user_id: string;
  /** To collect, in minor units */
  amount: number;
  currency: FiatCurrency;
  destination_currency: CryptoCurrency;
  /** CAIP-2 */
  chain: string;
  source: {
    type: "mobile_money" | "bank_account";
    account: string;
  };
  /** An absolute https URL of a public host */
  callback_url?: string | undefined;
};

export type TopupRequestResponse = {
  /** tu_… */
  id: string;
  status: "pending" | "processing" | "completed" | "failed";
  external_id: string;
  external_user_id: string;
  amount: number;
  currency: string;
  destination_currency: string;
  /** Delivered to the wallet, in crypto units */
  destination_amount: number;
  chain: string;
  wallet_address: string;
  source: {
    type: string;
    account: string;
  };
  payment: {
    reference: string | null;
    instructions: string | null;
  };
  callback_url: string | null;
  /** Until when it can be paid; unpaid it fails then */
  expires_at: string;
  /** When it was paid although it had expired: nothing is sent for it, and the operator sees to the money */
  paid_late_at: string | null;
  exchange_rate: number;
  /** The partner's fee, in minor units */
  fee: number;
  tx_hash: string | null;
  provider_reference: string | null;
  failure_reason: string | null;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  /** ISO 8601 in UTC, with milliseconds */
  updated_at: string;
  completed_at: string | null;
};

export type TransactionListResponse = {
  items: Array<Transaction>;
  total: number;
  skip: number;
  limit: number;
};

export type Transaction = {
  type: "settlement" | "withdrawal" | "topup";
  id: string;
  partner_id: string;
  /** A settlement's external_tx_id, a withdrawal's or top-up's external_id */
  external_id: string | null;
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled" | "pending" | "completed";
  source_currency: string;
  /** Fiat in minor units, crypto in units */
  source_amount: number;
  destination_currency: string;
  /** Fiat in minor units, crypto in units */
  destination_amount: number;
  /** Destination units per one unit of the source; of fiat the major unit */
  exchange_rate: number;
  /** A settlement's platform fee, a withdrawal's or top-up's charge fee; fiat in minor units, crypto in units */
  fee: number;
  fee_currency: string;
  chain: string;
  tx_hash: string | null;
  failure_reason: string | null;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  completed_at: string | null;
};

export type Conversion = {
  from: string;
  to: string;
  amount: number;
  /** Units of to per one unit of from; of fiat the major unit */
  rate: number;
  /** Fiat in minor units, crypto in units; rounded down */
  converted_amount: number;
  /** ISO 8601 in UTC, with milliseconds */
  as_of: string;
};

export type CallbackSecret = {
  /** This once */
  callback_secret: string;
  /** Until when callbacks carry a second signature, under the old secret */
  previous_expires_at: string | null;
};

export type WithdrawFiatPool = {
  currency: string;
  total: number;
  reserved: number;
  available: number;
  minimum: number;
  maximum: number;
};

export type ProviderCallback = {
  /** Our wd_… or tu_… */
  order_id: string;
  reference: string;
  status: "succeeded" | "failed";
  reason?: string | null | undefined;
};

export type HTTPValidationError = {
  detail: Array<ValidationError>;
  /** Where a rule of the service is broken: which */
  code?: ErrorCode | undefined;
};

export type ValidationError = {
  /** Where: the part of the request (body or query), then the way to the value */
  loc: Array<string | number>;
  msg: string;
  type: string;
};

export type Error = {
  detail: string;
  code: ErrorCode;
};

export type ErrorCode = "malformed_json" | "malformed_header" | "invalid_utf8" | "missing_credentials" | "missing_api_key" | "signature_required" | "unknown_api_key" | "revoked_api_key" | "stale_timestamp" | "invalid_nonce" | "signature_mismatch" | "nonce_reused" | "invalid_credentials" | "invalid_token" | "one_time_code_required" | "ip_not_allowed" | "scope_missing" | "partner_suspended" | "forbidden" | "step_up_required" | "enrolment_required" | "settlement_not_found" | "callback_not_found" | "route_not_found" | "not_found" | "method_not_allowed" | "approval_pending" | "invalid_state" | "same_approver" | "external_tx_id_conflict" | "quote_changed" | "rate_moved" | "idempotency_in_progress" | "conflict" | "insufficient_liquidity" | "insufficient_funds" | "quote_expired" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "unsupported_pair" | "unsupported_chain" | "invalid_wallet_address" | "amount_too_small" | "amount_too_large" | "callback_url_not_allowed" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "rate_unavailable" | "liquidity_unavailable" | "temporarily_unavailable";

export type Settlement = {
  tx_id: string;
  /** The partner's reference; null until confirmation */
  external_tx_id: string | null;
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled";
  approval_state: "pending" | "approved" | "rejected" | null;
  /** Minor units of the source currency */
  source_amount: number;
  source_currency: string;
  destination_currency: string;
  external_merchant_id: string;
  /** CAIP-2 */
  chain: string;
  wallet_address: string;
  /** Net amount delivered, after platform_fee */
  destination_amount: number;
  /** In the destination currency */
  platform_fee: number;
  /** Destination units per one major unit of the source currency */
  exchange_rate: number;
  /** ISO 8601 in UTC, with milliseconds */
  expires_at: string;
  callback_url: string | null;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  confirmed_at: string | null;
  cancelled_at: string | null;
  approval_decided_at: string | null;
  rejection_reason: string | null;
  /** Why a payment that is processing does not move; null: it moves, or nothing is to be paid */
  waiting_reason: "treasury_funding" | "chain_unavailable" | "review" | "hold" | null;
  /** Since when it waits for that */
  waiting_since: string | null;
  /** Present when executed */
  tx_hash?: string | undefined;
  /** Present when executed */
  executed_at?: string | undefined;
  /** Present when failed */
  failure_reason?: string | undefined;
  undelivered_callbacks: Array<{
    id: string;
    event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
    callback_url: string;
    /** ISO 8601 in UTC, with milliseconds */
    created_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    undelivered_at: string;
    attempts: Array<{
      /** Null: one beside the six, asked for by hand */
      number: number | null;
      /** ISO 8601 in UTC, with milliseconds */
      scheduled_at: string;
      /** ISO 8601 in UTC, with milliseconds */
      sent_at: string;
      duration_ms: number | null;
      response_status: number | null;
      error: string | null;
    }>;
    /** The body that was sent, as it was sent */
    payload: Record<string, unknown>;
  }>;
};

export interface Operations {
  /** Current Partner */
  current_partner: {
    method: "GET";
    path: "/partners/current";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: Partner;
  };
  /** Read Partners */
  read_partners: {
    method: "GET";
    path: "/partners";
    params: Record<string, never>;
    query: {
      /** 0 when left out */
      skip?: number | undefined;
      /** 25 when left out */
      limit?: number | undefined;
      /** A part of a name or reference, in any case of letters */
      search?: string | undefined;
    };
    body: never;
    result: Array<Partner>;
  };
  /** Create Partner */
  create_partner: {
    method: "POST";
    path: "/partners";
    params: Record<string, never>;
    query: Record<string, never>;
    body: PartnerCreate;
    result: Partner;
  };
  /** Update Charge Fee */
  update_charge_fee: {
    method: "PUT";
    path: "/partners/{partner_id}/charge-fee";
    params: {
      partner_id: string;
    };
    query: Record<string, never>;
    body: UpdateChargingFee;
    result: Partner;
  };
  /** Update Partner Status */
  update_partner_status: {
    method: "PUT";
    path: "/partners/{partner_id}/status";
    params: {
      partner_id: string;
    };
    query: Record<string, never>;
    body: {
      status: "active" | "suspended";
    };
    result: Partner;
  };
  /** Create Api Key */
  create_api_key: {
    method: "POST";
    path: "/partners/api-keys";
    params: Record<string, never>;
    query: Record<string, never>;
    body: ApiKeyCreate;
    result: ApiKeyView;
  };
  /** List Api Keys */
  list_api_keys: {
    method: "GET";
    path: "/partners/api-keys";
    params: Record<string, never>;
    query: {
      /** 0 when left out */
      skip?: number | undefined;
      /** 25 when left out */
      limit?: number | undefined;
      /** A part of a name or reference, in any case of letters */
      search?: string | undefined;
    };
    body: never;
    result: Array<ApiKeyView>;
  };
  /** Delete Api Key */
  delete_api_key: {
    method: "DELETE";
    path: "/partners/api-keys/{id}";
    params: {
      id: string;
    };
    query: Record<string, never>;
    body: never;
    result: undefined;
  };
  /** Rotate Api Key */
  rotate_api_key: {
    method: "POST";
    path: "/partners/api-keys/{id}/rotate";
    params: {
      id: string;
    };
    query: Record<string, never>;
    body: {
      /** How long the old one stays valid beside the new, in real time; 0: not at all */
      overlap_seconds: number;
    };
    result: ApiKeyView;
  };
  /** Rotate Callback Secret */
  rotate_callback_secret: {
    method: "POST";
    path: "/partners/{partner_id}/callback-secret/rotate";
    params: {
      partner_id: string;
    };
    query: Record<string, never>;
    body: {
      /** How long the old one stays valid beside the new, in real time; 0: not at all */
      overlap_seconds: number;
    };
    result: CallbackSecret;
  };
  /** Get Members */
  get_members: {
    method: "GET";
    path: "/partners/members";
    params: Record<string, never>;
    query: {
      /** 0 when left out */
      skip?: number | undefined;
      /** 25 when left out */
      limit?: number | undefined;
      /** A part of a name or reference, in any case of letters */
      search?: string | undefined;
    };
    body: never;
    result: Array<Member>;
  };
  /** Create Member */
  create_member: {
    method: "POST";
    path: "/partners/members";
    params: Record<string, never>;
    query: Record<string, never>;
    body: MemberCreate;
    result: Member;
  };
  /** Get Member */
  get_member: {
    method: "GET";
    path: "/partners/members/{external_user_id}";
    params: {
      external_user_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Member;
  };
  /** Update Member */
  update_member: {
    method: "PUT";
    path: "/partners/members/{external_user_id}";
    params: {
      external_user_id: string;
    };
    query: Record<string, never>;
    body: MemberUpdate;
    result: Member;
  };
  /** Get Member Safe Info */
  get_member_safe_info: {
    method: "GET";
    path: "/partners/members/{external_user_id}/safe";
    params: {
      external_user_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: SafeInfo;
  };
  /** Withdraw Fiat */
  withdraw_fiat: {
    method: "POST";
    path: "/partners/transactions/withdraw-fiat";
    params: Record<string, never>;
    query: Record<string, never>;
    body: WithdrawCreate;
    result: WithdrawRequestResponse;
  };
  /** Withdraw Fiat For Registered Member */
  withdraw_fiat_for_registered_member: {
    method: "POST";
    path: "/partners/transactions/withdraw-fiat/member";
    params: Record<string, never>;
    query: Record<string, never>;
    body: WithdrawPartnerCreate;
    result: WithdrawPartnerResponse;
  };
  /** Get Withdraw Fiat Pool Info */
  get_withdraw_fiat_pool_info: {
    method: "GET";
    path: "/partners/transactions/withdraw-fiat/pool";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: Array<WithdrawFiatPool>;
  };
  /** Withdraw Fiat Status */
  withdraw_fiat_status: {
    method: "GET";
    path: "/partners/transactions/withdraw-fiat/{id}";
    params: {
      id: string;
    };
    query: Record<string, never>;
    body: never;
    result: WithdrawRequestResponse;
  };
  /** Topup Fiat */
  topup_fiat: {
    method: "POST";
    path: "/partners/transactions/topup-fiat";
    params: Record<string, never>;
    query: Record<string, never>;
    body: TopupRequestCreate;
    result: TopupRequestResponse;
  };
  /** Topup Fiat Status */
  topup_fiat_status: {
    method: "GET";
    path: "/partners/transactions/topup-fiat/{id}";
    params: {
      id: string;
    };
    query: Record<string, never>;
    body: never;
    result: TopupRequestResponse;
  };
  /** Withdraw Fiat Callback */
  withdraw_fiat_callback: {
    method: "POST";
    path: "/partners/transactions/withdraw-fiat/callback";
    params: Record<string, never>;
    query: Record<string, never>;
    body: ProviderCallback;
    result: {
      received: true;
    };
  };
  /** Topup Fiat Callback */
  topup_fiat_callback: {
    method: "POST";
    path: "/partners/transactions/topup-fiat/callback";
    params: Record<string, never>;
    query: Record<string, never>;
    body: ProviderCallback;
    result: {
      received: true;
    };
  };
  /** Exchange Rates */
  exchange_rates: {
    method: "GET";
    path: "/exchange-rates";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: Array<ExchangeRate>;
  };
  /** Convert To Currency */
  convert_to_currency: {
    method: "GET";
    path: "/exchange-rates/convert";
    params: Record<string, never>;
    query: {
      /** A fiat or crypto currency */
      from: string;
      /** The other kind of currency */
      to: string;
      /** Fiat in minor units, crypto in units */
      amount: string;
    };
    body: never;
    result: Conversion;
  };
  /** Get All Transactions */
  get_all_transactions: {
    method: "GET";
    path: "/partners/transactions";
    params: Record<string, never>;
    query: {
      type?: "settlement" | "withdrawal" | "topup" | undefined;
      status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | "pending" | "completed" | undefined;
      external_id?: string | undefined;
      /** Only this partner's; for the operator, who sees everybody's */
      partner_id?: string | undefined;
      /** Inclusive */
      created_from?: string | undefined;
      /** Exclusive */
      created_to?: string | undefined;
      /** 0 when left out */
      skip?: number | undefined;
      /** 25 when left out */
      limit?: number | undefined;
    };
    body: never;
    result: TransactionListResponse;
  };
  /** Login For Access Token */
  login_for_access_token: {
    method: "POST";
    path: "/login";
    params: Record<string, never>;
    query: Record<string, never>;
    body: Body_login_for_access_token_login_post;
    result: LoginResponse;
  };
  /** Revoke the access token that the request carries */
  logout: {
    method: "DELETE";
    path: "/login";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: undefined;
  };
  /** Read Admins Me */
  read_admins_me: {
    method: "GET";
    path: "/admins/me";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: AuthView;
  };
  /** Create Admin */
  create_admin: {
    method: "POST";
    path: "/admins";
    params: Record<string, never>;
    query: Record<string, never>;
    body: AuthCreate;
    result: AuthView;
  };
  /** Create Safe */
  create_safe: {
    method: "POST";
    path: "/safes";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** CAIP-2 */
      chain: string;
      owners: Array<string>;
      threshold: number;
      /** 1.4.1 when left out */
      version?: "1.3.0" | "1.4.1" | undefined;
    };
    result: EthTx;
  };
  /** Create Master Contract (1.3.0) */
  create_master_contract_1_3_0: {
    method: "POST";
    path: "/safes/master-contracts/1.3.0";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** CAIP-2 */
      chain: string;
    };
    result: EthTx;
  };
  /** Create Master Contract (1.4.1) */
  create_master_contract_1_4_1: {
    method: "POST";
    path: "/safes/master-contracts/1.4.1";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** CAIP-2 */
      chain: string;
    };
    result: EthTx;
  };
  /** Create Compatibility Fallback Handler */
  create_compatibility_fallback_handler: {
    method: "POST";
    path: "/safes/compatibility-fallback-handler";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** CAIP-2 */
      chain: string;
      /** 1.4.1 when left out */
      version?: "1.3.0" | "1.4.1" | undefined;
    };
    result: EthTx;
  };
  /** Approve a settlement: it is re-priced and may be confirmed. Above the second threshold the first approval leaves it pending */
  approve_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/approve";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      note?: string | undefined;
      /** The rate that was seen; refused with rate_moved when it has moved */
      expected_exchange_rate?: number | undefined;
    };
    result: Settlement;
  };
  /** Reject a settlement: it is cancelled, no callback is sent */
  reject_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/reject";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      reason: string;
    };
    result: Settlement;
  };
  /** Release a held settlement: it is paid. For the same it is not held again */
  release_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/release";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      reason: string;
    };
    result: Settlement;
  };
  /** Refuse a held settlement: nothing was signed, and it is failed with the reason */
  refuse_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/refuse";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The partner reads it */
      reason: string;
    };
    result: Settlement;
  };
}

export interface Webhooks {
  /** The provider has paid a withdrawal out */
  "withdrawal.completed": {
    /** wd_… */
    id: string;
    status: "completed";
    external_id: string;
    /** Null where the partner's own Safe pays */
    external_user_id: string | null;
    amount: number;
    currency: string;
    source_currency: string;
    /** Taken from the Safe, in crypto units */
    source_amount: number;
    chain: string;
    destination: {
      type: string;
      account: string;
      name: string;
    };
    callback_url: string | null;
    /** What gave the crypto back after a payout that failed; null: nothing was given back */
    return_tx_hash: string | null;
    exchange_rate: number;
    /** The partner's fee, in minor units */
    fee: number;
    tx_hash: string | null;
    provider_reference: string | null;
    failure_reason: string | null;
    /** ISO 8601 in UTC, with milliseconds */
    created_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    updated_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    completed_at: string;
    event: "withdrawal.completed";
  };
  /** A withdrawal was not paid out; where the crypto had been taken, return_tx_hash names what gave it back */
  "withdrawal.failed": {
    /** wd_… */
    id: string;
    status: "failed";
    external_id: string;
    /** Null where the partner's own Safe pays */
    external_user_id: string | null;
    amount: number;
    currency: string;
    source_currency: string;
    /** Taken from the Safe, in crypto units */
    source_amount: number;
    chain: string;
    destination: {
      type: string;
      account: string;
      name: string;
    };
    callback_url: string | null;
    /** What gave the crypto back after a payout that failed; null: nothing was given back */
    return_tx_hash: string | null;
    exchange_rate: number;
    /** The partner's fee, in minor units */
    fee: number;
    tx_hash: string | null;
    provider_reference: string | null;
    failure_reason: string;
    /** ISO 8601 in UTC, with milliseconds */
    created_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    updated_at: string;
    completed_at: string | null;
    event: "withdrawal.failed";
  };
  /** A top-up was collected, and the crypto is final in the member's Safe */
  "topup.completed": {
    /** tu_… */
    id: string;
    status: "completed";
    external_id: string;
    external_user_id: string;
    amount: number;
    currency: string;
    destination_currency: string;
    /** Delivered to the wallet, in crypto units */
    destination_amount: number;
    chain: string;
    wallet_address: string;
    source: {
      type: string;
      account: string;
    };
    payment: {
      reference: string | null;
      instructions: string | null;
    };
    callback_url: string | null;
    /** Until when it can be paid; unpaid it fails then */
    expires_at: string;
    /** When it was paid although it had expired: nothing is sent for it, and the operator sees to the money */
    paid_late_at: string | null;
    exchange_rate: number;
    /** The partner's fee, in minor units */
    fee: number;
    tx_hash: string | null;
    provider_reference: string | null;
    failure_reason: string | null;
    /** ISO 8601 in UTC, with milliseconds */
    created_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    updated_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    completed_at: string;
    event: "topup.completed";
  };
  /** A top-up failed: nothing is sent for it */
  "topup.failed": {
    /** tu_… */
    id: string;
    status: "failed";
    external_id: string;
    external_user_id: string;
    amount: number;
    currency: string;
    destination_currency: string;
    /** Delivered to the wallet, in crypto units */
    destination_amount: number;
    chain: string;
    wallet_address: string;
    source: {
      type: string;
      account: string;
    };
    payment: {
      reference: string | null;
      instructions: string | null;
    };
    callback_url: string | null;
    /** Until when it can be paid; unpaid it fails then */
    expires_at: string;
    /** When it was paid although it had expired: nothing is sent for it, and the operator sees to the money */
    paid_late_at: string | null;
    exchange_rate: number;
    /** The partner's fee, in minor units */
    fee: number;
    tx_hash: string | null;
    provider_reference: string | null;
    failure_reason: string;
    /** ISO 8601 in UTC, with milliseconds */
    created_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    updated_at: string;
    completed_at: string | null;
    event: "topup.failed";
  };
}

