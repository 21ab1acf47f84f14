// Written by scripts/openapi.ts out of the service's OpenAPI document: do not edit it.

import type { ErrorCode, Settlement } from "./settlement.ts";

export type { ErrorCode, Settlement };

export type Partner = {
  /** The partner's id */
  id: string;
  /** The partner's name, for people */
  name: string;
  /** What it does: it brings in merchants (AGGREGATOR), or it provides funds (LIQUIDITY_PROVIDER) */
  roles: Array<PartnerRole>;
  /** Short name for paths and people, unique among partners */
  slug: string;
  /** The partner's own Safe; empty when it has none */
  wallet_address: string;
  /** The partner's fee on top-ups and withdrawals, in percent, 0 to 100; not on settlements */
  charge_fee_percentage: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** suspended: whatever its keys ask for is refused with partner_suspended */
  status: "active" | "suspended";
};

export type PartnerCreate = {
  /** The partner's name, for people */
  name: string;
  /** Short name for paths and people, unique: lower-case letters, digits and dashes */
  slug: string;
  /** What it does: it brings in merchants (AGGREGATOR), or it provides funds (LIQUIDITY_PROVIDER) */
  roles: Array<PartnerRole>;
  /** The partner's own Safe */
  wallet_address?: string | undefined;
  /** Fee on top-ups and withdrawals, in percent: 0 to 100, at most 4 decimals; 0 when left out */
  charge_fee_percentage?: number | undefined;
};

export type PartnerRole = "AGGREGATOR" | "LIQUIDITY_PROVIDER";

export type UpdateChargingFee = {
  /** Fee on top-ups and withdrawals, in percent: 0 to 100, at most 4 decimals */
  charge_fee_percentage: number;
};

export type Member = {
  /** The member's id; also taken in a path, in place of external_user_id */
  id: string;
  /** The partner's own name for the member, unique among its members */
  external_user_id: string;
  /** E.164, unique among the partner's members */
  phone: string;
  /** The member's name; null: none is known */
  name: string | null;
  /** The member's e-mail address; null: none is known */
  email: string | null;
  /** The wallet that the member brought, or its Safe; null until the Safe is deployed, and where that failed */
  wallet_address: string | null;
  /** Network of the wallet, CAIP-2 */
  chain: string;
  /** How far the member's Safe has come; null for a member that brought its own wallet */
  safe_status: "deploying" | "deployed" | "failed" | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
};

export type MemberCreate = {
  /** The partner's own name for the member, unique among its members */
  external_user_id: string;
  /** E.164, unique among the partner's members; spaces, dots, dashes and brackets are passed over */
  phone: string;
  /** The member's name */
  name?: string | null | undefined;
  /** The member's e-mail address */
  email?: string | null | undefined;
  /** A wallet that the member has already; left out: a Safe is deployed for the member */
  wallet_address?: string | null | undefined;
  /** Where the wallet is or the Safe will be; the installation's first chain when left out */
  chain?: string | null | undefined;
};

export type MemberUpdate = {
  /** E.164, unique among the partner's members; spaces, dots, dashes and brackets are passed over */
  phone?: string | undefined;
  /** The new name; null takes it away, left out it stays */
  name?: string | null | undefined;
  /** The new e-mail address; null takes it away, left out it stays */
  email?: string | null | undefined;
};

export type SafeInfo = {
  /** The Safe's own address */
  address: string;
  /** Contract that answers calls the Safe itself does not know; the zero address: none */
  fallback_handler: string;
  /** Contract that may stop each of its transactions; the zero address: none */
  guard: string;
  /** Contract whose code the Safe runs */
  master_copy: string;
  /** Contracts that may act for the Safe without its owners */
  modules: Array<string>;
  /** How many transactions it has carried out */
  nonce: number;
  /** Addresses that may sign for it */
  owners: Array<string>;
  /** How many owners have to sign a transaction */
  threshold: number;
  /** Release of the Safe contracts */
  version: string;
};

export type EthTx = {
  /** Hash of the attempt in the block; before that, of the latest. A raised fee changes it, and nothing else */
  tx_hash: string;
  /** Address of the contract that it creates; holds from the signature on */
  contract_address: string;
  /** The transaction that creates the contract */
  tx: {
    /** The operator's wallet that sends it */
    from: string;
    /** The contract that is called; null where the transaction itself is the creation */
    to: string | null;
    /** What it is called with, hex */
    data: string;
    /** What is sent along, in the smallest unit of the chain's coin */
    value: number;
    /** The most gas that it may use */
    gas: number;
    /** The sender's nonce */
    nonce: number;
    /** The number in the chain's CAIP-2 id: 1 of eip155:1 */
    chainId: number;
  };
};

export type ApiKeyCreate = {
  /** The partner that the key acts for; null for an operator's key */
  partner_id: string | null;
  /** What people will know it by */
  name?: string | undefined;
  /** A partner's key: settlements:read, settlements:write, partner:read, partner:write; an operator's: settlements:decide, partners:admin, treasury, read. Left out: all of them; in live mode all but partner:write, of an operator's key read alone */
  scopes?: Array<"settlements:read" | "settlements:write" | "partner:read" | "partner:write" | "settlements:decide" | "partners:admin" | "treasury" | "read"> | undefined;
  /** Addresses and CIDR ranges that it may be used from; any when left out */
  allowed_ips?: Array<string> | undefined;
  /** What has to be signed on this surface, as on the settlement surface: true: what it changes; all: what it reads as well. Left out: all in live mode, false in the sandbox. In live mode a partner's key signs its changes at least */
  signed_management?: boolean | "all" | undefined;
  /** When it ends: ISO 8601 with its zone, in the future; never when null or left out */
  expires_at?: string | null | undefined;
};

export type ApiKeyView = {
  /** The key's id, which paths name it by; not the api_key itself */
  id: string;
  /** The partner that the key acts for; null for an operator's key */
  partner_id: string | null;
  /** What people know it by */
  name: string;
  /** What requests carry; at creation and rotation, this once */
  api_key?: string | undefined;
  /** What requests are signed with; at creation and rotation, this once */
  api_secret?: string | undefined;
  /** SHA-256 of the api_key, hex */
  api_key_hash: string;
  /** The last four characters of the api_key */
  last_four: string;
  /** What it may do */
  scopes: Array<"settlements:read" | "settlements:write" | "partner:read" | "partner:write" | "settlements:decide" | "partners:admin" | "treasury" | "read">;
  /** Addresses and CIDR ranges that it may be used from; empty: any */
  allowed_ips: Array<string>;
  /** What has to be signed on this surface: true: what it changes; all: what it reads as well; false: nothing */
  signed_management: boolean | "all";
  /** The id of the key that this one took the place of; null: it replaced none */
  rotated_from: string | null;
  /** The id of the key that made or rotated this one, and with which it ends; null: a person did */
  made_by_key: string | null;
  /** There where the key works only once a second person has confirmed it */
  proposal_id?: string | undefined;
  /** When it was created */
  created_at: string;
  /** When it ends by itself; null: never */
  expires_at: string | null;
  /** When it was revoked, or, in the future, when the overlap of its rotation ends: until then it still works; null: it was not revoked */
  revoked_at: string | null;
  /** When it was last used, true to the minute; null: never */
  last_used_at: string | null;
  /** When each operation was last called with it, newest first, true to the hour; since version 1.2.0 */
  last_uses: Array<{
    /** The operation's id in the OpenAPI document */
    operation: string;
    /** When */
    at: string;
  }>;
};

export type AuthCreate = {
  /** The person's e-mail address, unique; logs in with it */
  username: string;
  /** The first password; refused when it is common or easily guessed. In live mode it has no effect for a role that decides: once a second person has confirmed the account, the person sets a password by a link that is mailed to the address */
  password: string;
  /** The person's name, as others see it */
  name: string;
  /** admin: everything; approver: decides on settlements, and reads; viewer: reads */
  role: "admin" | "approver" | "viewer";
};

export type AuthView = {
  /** The account's id; for an operator's API key, the key's */
  id: string;
  /** The person's e-mail address; null for an operator's API key */
  username: string | null;
  /** The person's or the key's name */
  name: string;
  /** admin: everything; approver: decides on settlements, and reads; viewer: reads */
  role: "admin" | "approver" | "viewer";
  /** When it was created */
  created_at: string;
  /** There where the account is made only once a second person has confirmed it */
  proposal_id?: string | undefined;
};

export type Body_login_for_access_token_login_post = {
  /** The person's e-mail address */
  username: string;
  /** The person's password */
  password: string;
  /** The one-time code, where one is set up */
  otp?: string | undefined;
  /** The word password, as OAuth2 clients send it; may be left out */
  grant_type?: string | undefined;
  /** Sent by OAuth2 clients; has no effect */
  scope?: string | undefined;
  /** Sent by OAuth2 clients; has no effect */
  client_id?: string | undefined;
  /** Sent by OAuth2 clients; has no effect */
  client_secret?: string | undefined;
};

export type LoginResponse = {
  /** Goes into the header Authorization, after Bearer */
  access_token: string;
  /** How the token is sent */
  token_type: "bearer";
  /** How many seconds the token is valid for, in real time */
  expires_in: number;
};

/** Fiat currency, ISO 4217 code such as USD */
export type FiatCurrency = string;

/** Symbol of a token or coin, such as USDT */
export type CryptoCurrency = string;

export type ExchangeRate = {
  /** The fiat, ISO 4217 code */
  source_currency: FiatCurrency;
  /** The crypto: symbol of a token or coin */
  destination_currency: CryptoCurrency;
  /** Mid rate, before any spread: destination units per one major unit of the source. At most 15 digits: read it as a decimal */
  rate: number;
  /** Where the rate comes from */
  source: string;
  /** When the rate was observed, or set where it is fixed */
  as_of: string;
};

export type WithdrawCreate = {
  /** The partner's own reference, unique among its withdrawals */
  external_id: string;
  /** Fiat to pay out, in minor units of currency, without the fee */
  amount: number;
  /** Fiat that is paid out or collected, ISO 4217 */
  currency: FiatCurrency;
  /** Symbol of the token that is taken from the Safe */
  source_currency: CryptoCurrency;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** Whom the fiat is paid to */
  destination: {
    /** What kind of account it is */
    type: "mobile_money" | "bank_account";
    /** Of mobile_money the phone number with its country's code, such as +254712345678; of bank_account what the currency's banks want: an IBAN, or bank code and number */
    account: string;
    /** Of the payee, as the account is held */
    name: string;
  };
  /** An absolute https URL of a public host. It gets a callback when the order has ended; without it there is no callback */
  callback_url?: string | undefined;
};

export type WithdrawPartnerCreate = {
  /** The partner's own reference, unique among its withdrawals */
  external_id: string;
  /** Fiat to pay out, in minor units of currency, without the fee */
  amount: number;
  /** Fiat that is paid out or collected, ISO 4217 */
  currency: FiatCurrency;
  /** Symbol of the token that is taken from the Safe */
  source_currency: CryptoCurrency;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** Whom the fiat is paid to */
  destination: {
    /** What kind of account it is */
    type: "mobile_money" | "bank_account";
    /** Of mobile_money the phone number with its country's code, such as +254712345678; of bank_account what the currency's banks want: an IBAN, or bank code and number */
    account: string;
    /** Of the payee, as the account is held */
    name: string;
  };
  /** An absolute https URL of a public host. It gets a callback when the order has ended; without it there is no callback */
  callback_url?: string | undefined;
  /** The member out of whose Safe it is taken */
  external_user_id: string;
};

export type WithdrawRequestResponse = {
  /** The withdrawal's id, wd_… */
  id: string;
  /** How far it has come; completed and failed are final */
  status: "pending" | "processing" | "completed" | "failed";
  /** The partner's own reference, unique among its withdrawals */
  external_id: string;
  /** The member whose Safe pays; null where the partner's own does */
  external_user_id: string | null;
  /** Fiat to pay out, in minor units of currency, without the fee */
  amount: number;
  /** Fiat that is paid out or collected, ISO 4217 */
  currency: string;
  /** Symbol of the token that is taken from the Safe */
  source_currency: string;
  /** Taken from the Safe for amount and fee together, in units of the crypto. At most 15 digits: read it as a decimal */
  source_amount: number;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** Whom the fiat is paid to */
  destination: {
    /** What kind of account it is */
    type: string;
    /** Of mobile_money the phone number with its country's code, such as +254712345678; of bank_account what the currency's banks want: an IBAN, or bank code and number */
    account: string;
    /** Of the payee, as the account is held */
    name: string;
  };
  /** Where its callback goes; null: nobody is called */
  callback_url: string | null;
  /** What gave the crypto back after a payout that failed; null: nothing was given back */
  return_tx_hash: string | null;
  /** Why it waits before its crypto is taken: new_payee for its partner to look at an account that it has not paid before, hold for the operator's people; null: it does not wait */
  waiting_reason: "new_payee" | "hold" | null;
  /** Since when it waits for that; null where waiting_reason is */
  waiting_since: string | null;
  /** When it goes on by itself, unless an owner says yes to the payee in the console before; null: people decide */
  waiting_until: string | null;
  /** Major units of the fiat per unit of the crypto, such as 129.2 KES per USDT. Settlements and top-ups state theirs the other way round. At most 15 digits: read it as a decimal */
  exchange_rate: number;
  /** The partner's charge fee, in minor units: on top of a withdrawal's amount, taken out of a top-up's */
  fee: number;
  /** The transfer on the chain; null until it is final */
  tx_hash: string | null;
  /** The fiat provider's own name for the payment; null until it reports one */
  provider_reference: string | null;
  /** Why it failed, in words; null as long as nothing has failed */
  failure_reason: string | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** When it was completed; null: it is not */
  completed_at: string | null;
};

export type WithdrawPartnerResponse = {
  /** The withdrawal's id, wd_… */
  id: string;
  /** How far it has come; completed and failed are final */
  status: "pending" | "processing" | "completed" | "failed";
  /** The partner's own reference, unique among its withdrawals */
  external_id: string;
  /** The member whose Safe pays */
  external_user_id: string;
  /** Fiat to pay out, in minor units of currency, without the fee */
  amount: number;
  /** Fiat that is paid out or collected, ISO 4217 */
  currency: string;
  /** Symbol of the token that is taken from the Safe */
  source_currency: string;
  /** Taken from the Safe for amount and fee together, in units of the crypto. At most 15 digits: read it as a decimal */
  source_amount: number;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** Whom the fiat is paid to */
  destination: {
    /** What kind of account it is */
    type: string;
    /** Of mobile_money the phone number with its country's code, such as +254712345678; of bank_account what the currency's banks want: an IBAN, or bank code and number */
    account: string;
    /** Of the payee, as the account is held */
    name: string;
  };
  /** Where its callback goes; null: nobody is called */
  callback_url: string | null;
  /** What gave the crypto back after a payout that failed; null: nothing was given back */
  return_tx_hash: string | null;
  /** Why it waits before its crypto is taken: new_payee for its partner to look at an account that it has not paid before, hold for the operator's people; null: it does not wait */
  waiting_reason: "new_payee" | "hold" | null;
  /** Since when it waits for that; null where waiting_reason is */
  waiting_since: string | null;
  /** When it goes on by itself, unless an owner says yes to the payee in the console before; null: people decide */
  waiting_until: string | null;
  /** Major units of the fiat per unit of the crypto, such as 129.2 KES per USDT. Settlements and top-ups state theirs the other way round. At most 15 digits: read it as a decimal */
  exchange_rate: number;
  /** The partner's charge fee, in minor units: on top of a withdrawal's amount, taken out of a top-up's */
  fee: number;
  /** The transfer on the chain; null until it is final */
  tx_hash: string | null;
  /** The fiat provider's own name for the payment; null until it reports one */
  provider_reference: string | null;
  /** Why it failed, in words; null as long as nothing has failed */
  failure_reason: string | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** When it was completed; null: it is not */
  completed_at: string | null;
};

export type TopupRequestCreate = {
  /** The partner's own reference, unique among its top-ups */
  external_id: string;
  /** The member who pays, and gets the crypto */
  external_user_id: string;
  /** Fiat to collect, in minor units of currency, the fee in it */
  amount: number;
  /** Fiat that is paid out or collected, ISO 4217 */
  currency: FiatCurrency;
  /** Symbol of the token that is sent to the member's wallet */
  destination_currency: CryptoCurrency;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** Whom the fiat is collected from */
  source: {
    /** What kind of account it is */
    type: "mobile_money" | "bank_account";
    /** Of mobile_money the phone number with its country's code, such as +254712345678; of bank_account what the currency's banks want: an IBAN, or bank code and number */
    account: string;
  };
  /** An absolute https URL of a public host. It gets a callback when the order has ended; without it there is no callback */
  callback_url?: string | undefined;
};

export type TopupRequestResponse = {
  /** The top-up's id, tu_… */
  id: string;
  /** How far it has come; completed and failed are final */
  status: "pending" | "processing" | "completed" | "failed";
  /** The partner's own reference, unique among its top-ups */
  external_id: string;
  /** The member who pays, and gets the crypto */
  external_user_id: string;
  /** Fiat to collect, in minor units of currency, the fee in it */
  amount: number;
  /** Fiat that is paid out or collected, ISO 4217 */
  currency: string;
  /** Symbol of the token that is sent to the member's wallet */
  destination_currency: string;
  /** Sent to the wallet for amount less fee, in units of the crypto. At most 15 digits: read it as a decimal */
  destination_amount: number;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** The member's wallet, where the crypto goes */
  wallet_address: string;
  /** Whom the fiat is collected from */
  source: {
    /** What kind of account it is */
    type: string;
    /** Of mobile_money the phone number with its country's code, such as +254712345678; of bank_account what the currency's banks want: an IBAN, or bank code and number */
    account: string;
  };
  /** For the payer */
  payment: {
    /** What the payment has to carry; null: nothing */
    reference: string | null;
    /** In words, what the payer does now; null: nothing */
    instructions: string | null;
  };
  /** Where its callback goes; null: nobody is called */
  callback_url: string | null;
  /** Until when it can be paid; unpaid it fails then */
  expires_at: string;
  /** When it was paid although it had expired: nothing is sent for it, and the operator handles the money; null: it was not */
  paid_late_at: string | null;
  /** Units of the crypto per major unit of the fiat, such as 0.0077 USDT per KES. Withdrawals state theirs the other way round. At most 15 digits: read it as a decimal */
  exchange_rate: number;
  /** The partner's charge fee, in minor units: on top of a withdrawal's amount, taken out of a top-up's */
  fee: number;
  /** The transfer on the chain; null until it is final */
  tx_hash: string | null;
  /** The fiat provider's own name for the payment; null until it reports one */
  provider_reference: string | null;
  /** Why it failed, in words; null as long as nothing has failed */
  failure_reason: string | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** When it was completed; null: it is not */
  completed_at: string | null;
};

export type TransactionListResponse = {
  /** A page of transactions, newest first */
  items: Array<Transaction>;
  /** How many there are in all, under the same filters */
  total: number;
  /** How many were passed over before this page */
  skip: number;
  /** How many this page holds at most */
  limit: number;
  /** The cursor of the next page; null: this is the last */
  next_cursor: string | null;
};

export type Transaction = {
  /** A settlement or top-up turns fiat into crypto, a withdrawal crypto into fiat */
  type: "settlement" | "withdrawal" | "topup";
  /** A settlement's tx_…, a withdrawal's wd_…, a top-up's tu_… */
  id: string;
  /** The partner whose transaction it is */
  partner_id: string;
  /** A settlement's external_tx_id, null until it is confirmed; a withdrawal's or top-up's external_id */
  external_id: string | null;
  /** How far it has come, in the statuses of its type */
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled" | "pending" | "completed";
  /** The currency paid in: ISO 4217 code of fiat, symbol of a token */
  source_currency: string;
  /** What is paid in: fiat in minor units, crypto in units. At most 15 digits: read it as a decimal */
  source_amount: number;
  /** The currency paid out: ISO 4217 code of fiat, symbol of a token */
  destination_currency: string;
  /** What is paid out: fiat in minor units, crypto in units. At most 15 digits: read it as a decimal */
  destination_amount: number;
  /** Units of destination_currency per unit of source_currency; of fiat the major unit. 0.0077 for KES to USDT, 129.2 for USDT to KES. At most 15 digits: read it as a decimal */
  exchange_rate: number;
  /** A settlement's platform fee, a withdrawal's or top-up's charge fee; fiat in minor units, crypto in units. At most 15 digits: read it as a decimal */
  fee: number;
  /** The currency of fee: a settlement's is crypto, a withdrawal's or top-up's fiat */
  fee_currency: string;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** The transfer on the chain; null until it is final */
  tx_hash: string | null;
  /** Why it failed, in words; null as long as nothing has failed */
  failure_reason: string | null;
  /** When it was created */
  created_at: string;
  /** When it was executed or completed; null: it is not */
  completed_at: string | null;
};

export type Conversion = {
  /** What is converted, as asked: a fiat or crypto currency */
  from: string;
  /** What it is converted to, as asked */
  to: string;
  /** How much of from, as asked: fiat in minor units, crypto in units. At most 15 digits: read it as a decimal */
  amount: number;
  /** Mid rate: units of to per one unit of from; of fiat the major unit. At most 15 digits: read it as a decimal */
  rate: number;
  /** What amount comes to: fiat in minor units, crypto in units; rounded down. At most 15 digits: read it as a decimal */
  converted_amount: number;
  /** When the rate was observed, or set where it is fixed */
  as_of: string;
};

export type PartnerPayment = {
  /** The booking's id, bk_…; null while it waits for a second person */
  id: string | null;
  /** The partner who paid */
  partner_id: string;
  /** What was paid, in minor units of the currency */
  amount: number;
  /** Fiat currency, ISO 4217 */
  currency: string;
  /** When the bank received it; not in the future */
  received_at: string;
  /** The bank's own reference of the payment. Each is booked once, for one partner */
  reference: string;
  /** proposed: a second person still has to confirm it; booked: the partner owes that much less; reversed: it was taken back */
  status: "proposed" | "booked" | "reversed";
  /** When it was booked */
  booked_at: string | null;
  /** When it was reversed */
  reversed_at: string | null;
};

export type PartnerPaymentCreate = {
  /** What was paid, in minor units of the currency */
  amount: number;
  /** Fiat currency, ISO 4217 */
  currency: string;
  /** When the bank received it; not in the future */
  received_at: string;
  /** The bank's own reference of the payment. Each is booked once, for one partner */
  reference: string;
  /** Why; kept in the audit log */
  note?: string | undefined;
};

export type CallbackSecret = {
  /** What callbacks are signed with, whsec_…; shown only once */
  callback_secret: string;
  /** Until when callbacks carry a second signature, under the old secret, unless another rotation ends that earlier; null: there is no old one */
  previous_expires_at: string | null;
};

export type WithdrawFiatPool = {
  /** Fiat that the pool holds, ISO 4217; the amounts next to it are in its minor units */
  currency: string;
  /** All that it holds, in minor units */
  total: number;
  /** What of it is promised to withdrawals under way, in minor units */
  reserved: number;
  /** What is left for new withdrawals, in minor units: total less reserved */
  available: number;
  /** The smallest amount that one withdrawal pays out, in minor units */
  minimum: number;
  /** The limit for one withdrawal, in minor units. It says nothing of what the pool holds and may be above total: available limits too */
  maximum: number;
};

export type ProviderCallback = {
  /** Our wd_… or tu_… */
  order_id: string;
  /** The provider's own name for the payment */
  reference: string;
  /** Whether the fiat was paid out, or collected; final */
  status: "succeeded" | "failed";
  /** Why it failed, for people; null or left out: no reason given */
  reason?: string | null | undefined;
};

export type HTTPValidationError = {
  /** Each thing that is wrong, with its place */
  detail: Array<ValidationError>;
  /** Which error it is, for programs. Codes may be added */
  code: ErrorCode;
  /** The request's id, as in the header X-Request-Id; name it when you ask the operator */
  request_id: string;
};

export type ValidationError = {
  /** Where: the part of the request (body or query), then the way to the value */
  loc: Array<string | number>;
  /** What is wrong there, in words for people */
  msg: string;
  /** What is wrong, by name, such as missing or too_long */
  type: string;
};

export type Error = {
  /** What is wrong in this case, in a sentence for people */
  detail: string;
  /** Which error it is, for programs. Codes may be added */
  code: ErrorCode;
  /** The request's id, as in the header X-Request-Id; name it when you ask the operator */
  request_id: string;
  /** With conflict, where a Safe is missing: how far it has come; null: none is being deployed for this member or partner */
  safe_status?: "deploying" | "deployed" | "failed" | null | undefined;
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
      /** How many to pass over; 0 when left out */
      skip?: number | undefined;
      /** How many at most; 25 when left out */
      limit?: number | undefined;
      /** Only those with this in a name or reference, in any case of letters */
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
      /** The partner's id, a UUID */
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
      /** The partner's id, a UUID */
      partner_id: string;
    };
    query: Record<string, never>;
    body: {
      /** suspended: whatever its keys ask for is refused with partner_suspended */
      status: "active" | "suspended";
    };
    result: Partner;
  };
  /** Create Partner Payment */
  create_partner_payment: {
    method: "POST";
    path: "/partners/{partner_id}/payments";
    params: {
      /** The partner's id, a UUID */
      partner_id: string;
    };
    query: Record<string, never>;
    body: PartnerPaymentCreate;
    result: PartnerPayment;
  };
  /** List Partner Payments */
  list_partner_payments: {
    method: "GET";
    path: "/partners/{partner_id}/payments";
    params: {
      /** The partner's id, a UUID */
      partner_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Array<PartnerPayment>;
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
      /** How many to pass over; 0 when left out */
      skip?: number | undefined;
      /** How many at most; 25 when left out */
      limit?: number | undefined;
      /** Only those with this in a name or reference, in any case of letters */
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
      /** The key's id, a UUID; not the api_key itself */
      id: string;
    };
    query: {
      /** true: nothing is revoked, and the answer lists all that would end */
      dry_run?: string | undefined;
    };
    body: never;
    result: {
      /** The key, all that were rotated from it, and all that were made with it; those that have not ended yet */
      ends: Array<ApiKeyView>;
    };
  };
  /** Rotate Api Key */
  rotate_api_key: {
    method: "POST";
    path: "/partners/api-keys/{id}/rotate";
    params: {
      /** The key's id, a UUID; not the api_key itself */
      id: string;
    };
    query: Record<string, never>;
    body: {
      /** How many seconds the old one stays valid next to the new, in real time; 0: not at all */
      overlap_seconds: number;
    };
    result: ApiKeyView;
  };
  /** Rotate Callback Secret */
  rotate_callback_secret: {
    method: "POST";
    path: "/partners/{partner_id}/callback-secret/rotate";
    params: {
      /** The partner's id, a UUID */
      partner_id: string;
    };
    query: Record<string, never>;
    body: {
      /** How many seconds the old one stays valid next to the new, in real time; 0: not at all */
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
      /** How many to pass over; 0 when left out */
      skip?: number | undefined;
      /** How many at most; 25 when left out */
      limit?: number | undefined;
      /** Only those with this in a name or reference, in any case of letters */
      search?: string | undefined;
      /** The next cursor of the page before, in place of skip: pages by cursor neither repeat nor leave out what is there already */
      cursor?: string | undefined;
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
      /** The partner's own name for the member, or the member's id */
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
      /** The partner's own name for the member, or the member's id */
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
      /** The partner's own name for the member, or the member's id */
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
      /** The withdrawal's id, wd_… */
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
      /** The top-up's id, tu_… */
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
      /** The callback is recorded, whether it is new, a repeat or without effect */
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
      /** The callback is recorded, whether it is new, a repeat or without effect */
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
      /** What is converted: a fiat or crypto currency */
      from: string;
      /** What it is converted to: a currency of the other kind */
      to: string;
      /** How much of from: fiat in minor units, crypto in units */
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
      /** Only those of this type */
      type?: "settlement" | "withdrawal" | "topup" | undefined;
      /** Only those of this status */
      status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | "pending" | "completed" | undefined;
      /** Only those with this external_id */
      external_id?: string | undefined;
      /** Only this partner's; for the operator, who sees everybody's */
      partner_id?: string | undefined;
      /** Only those created then or later */
      created_from?: string | undefined;
      /** Only those created before then */
      created_to?: string | undefined;
      /** How many to pass over; 0 when left out */
      skip?: number | undefined;
      /** How many at most; 25 when left out */
      limit?: number | undefined;
      /** The next cursor of the page before, in place of skip: pages by cursor neither repeat nor leave out what is there already */
      cursor?: string | undefined;
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
      /** Blockchain network, CAIP-2, such as eip155:1 */
      chain: string;
      /** Addresses that may sign for the Safe */
      owners: Array<string>;
      /** How many of the owners have to sign a transaction */
      threshold: number;
      /** Release of the Safe contracts; 1.4.1 when left out */
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
      /** Blockchain network, CAIP-2, such as eip155:1 */
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
      /** Blockchain network, CAIP-2, such as eip155:1 */
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
      /** Blockchain network, CAIP-2, such as eip155:1 */
      chain: string;
      /** Release of the Safe contracts; 1.4.1 when left out */
      version?: "1.3.0" | "1.4.1" | undefined;
    };
    result: EthTx;
  };
  /** Approve a settlement: it is re-priced and may be confirmed. Above the second threshold the first approval leaves it pending. Where a passkey must sign, as in live mode by default, only a person in the console can */
  approve_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/approve";
    params: {
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** Why; kept in the audit log */
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
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The partner reads it, as rejection_reason */
      reason: string;
    };
    result: Settlement;
  };
  /** Release a held settlement: it is paid. For the same it is not held again. In live mode a second person must confirm it, and no key releases */
  release_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/release";
    params: {
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** Why; kept in the audit log */
      reason: string;
    };
    result: Settlement;
  };
  /** Refuse a held settlement: nothing was signed, and it is failed with the reason */
  refuse_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/refuse";
    params: {
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The partner reads it, in failure_reason */
      reason: string;
    };
    result: Settlement;
  };
  /** Approve all items of a batch: they are re-priced and may be confirmed. Where two people must approve, the first approval leaves it pending */
  approve_batch: {
    method: "POST";
    path: "/admins/settlement-batches/{batch_id}/approve";
    params: {
      /** The batch's id, ba_… */
      batch_id: string;
    };
    query: Record<string, never>;
    body: {
      /** Why; kept in the audit log */
      note?: string | undefined;
      /** What was seen that each destination currency comes to, such as {"USDT": 153.5}; refused with rate_moved when it has moved */
      expected_total?: Record<string, number> | undefined;
    };
    result: {
      /** The batch's id, ba_… */
      batch_id: string;
      /** The partner's own name for the batch */
      external_batch_id: string;
      /** How far it has come; completed (every item has ended) and cancelled are final */
      status: "quoted" | "processing" | "completed" | "cancelled";
      /** An operator's approval of all items together: while pending it cannot be confirmed; null: it needs none */
      approval_state: "pending" | "approved" | "rejected" | null;
      /** How many items it has */
      item_count: number;
      /** How many of its items have which status */
      counts: {
        /** How many items are quoted */
        quoted: number;
        /** How many items are processing */
        processing: number;
        /** How many items are executed */
        executed: number;
        /** How many items are failed */
        failed: number;
        /** How many items are cancelled */
        cancelled: number;
      };
      /** What its items come to, for each pair of currencies */
      totals: Array<{
        /** Fiat that is paid in, ISO 4217 */
        source_currency: string;
        /** Minor units of the source currency, of all items of the pair together */
        source_amount: number;
        /** Symbol of the token that is paid out */
        destination_currency: string;
        /** What their wallets get together, in units of the destination currency. At most 15 digits: read it as a decimal */
        destination_amount: number;
        /** Their fees together, in units of the destination currency. At most 15 digits: read it as a decimal */
        platform_fee: number;
      }>;
      /** The earliest of its items': before this instant it can be confirmed */
      expires_at: string;
      /** Where batch.completed goes; null until one is given */
      callback_url: string | null;
      /** When it was created */
      created_at: string;
      /** When it was confirmed; null until then */
      confirmed_at: string | null;
      /** When its last item ended; null until then */
      completed_at: string | null;
    };
  };
  /** Reject a batch: it is cancelled with all its items, no callback is sent */
  reject_batch: {
    method: "POST";
    path: "/admins/settlement-batches/{batch_id}/reject";
    params: {
      /** The batch's id, ba_… */
      batch_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The partner reads it, as rejection_reason of each item */
      reason: string;
    };
    result: {
      /** The batch's id, ba_… */
      batch_id: string;
      /** The partner's own name for the batch */
      external_batch_id: string;
      /** How far it has come; completed (every item has ended) and cancelled are final */
      status: "quoted" | "processing" | "completed" | "cancelled";
      /** An operator's approval of all items together: while pending it cannot be confirmed; null: it needs none */
      approval_state: "pending" | "approved" | "rejected" | null;
      /** How many items it has */
      item_count: number;
      /** How many of its items have which status */
      counts: {
        /** How many items are quoted */
        quoted: number;
        /** How many items are processing */
        processing: number;
        /** How many items are executed */
        executed: number;
        /** How many items are failed */
        failed: number;
        /** How many items are cancelled */
        cancelled: number;
      };
      /** What its items come to, for each pair of currencies */
      totals: Array<{
        /** Fiat that is paid in, ISO 4217 */
        source_currency: string;
        /** Minor units of the source currency, of all items of the pair together */
        source_amount: number;
        /** Symbol of the token that is paid out */
        destination_currency: string;
        /** What their wallets get together, in units of the destination currency. At most 15 digits: read it as a decimal */
        destination_amount: number;
        /** Their fees together, in units of the destination currency. At most 15 digits: read it as a decimal */
        platform_fee: number;
      }>;
      /** The earliest of its items': before this instant it can be confirmed */
      expires_at: string;
      /** Where batch.completed goes; null until one is given */
      callback_url: string | null;
      /** When it was created */
      created_at: string;
      /** When it was confirmed; null until then */
      confirmed_at: string | null;
      /** When its last item ended; null until then */
      completed_at: string | null;
    };
  };
}

export interface Webhooks {
  /** The provider has paid a withdrawal out */
  "withdrawal.completed": WithdrawRequestResponse & {
    /** How it ended */
    status: "completed";
    /** When it was completed */
    completed_at: string;
    /** What has happened */
    event: "withdrawal.completed";
  };
  /** A withdrawal was not paid out; where the crypto had been taken, return_tx_hash names what gave it back */
  "withdrawal.failed": WithdrawRequestResponse & {
    /** How it ended */
    status: "failed";
    /** Why it failed, in words */
    failure_reason: string;
    /** What has happened */
    event: "withdrawal.failed";
  };
  /** A top-up was collected, and the crypto is final in the member's Safe */
  "topup.completed": TopupRequestResponse & {
    /** How it ended */
    status: "completed";
    /** When it was completed */
    completed_at: string;
    /** What has happened */
    event: "topup.completed";
  };
  /** A top-up failed: nothing is sent for it */
  "topup.failed": TopupRequestResponse & {
    /** How it ended */
    status: "failed";
    /** Why it failed, in words */
    failure_reason: string;
    /** What has happened */
    event: "topup.failed";
  };
}

