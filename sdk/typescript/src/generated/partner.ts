// Written by scripts/openapi.ts out of the service's OpenAPI document: do not edit it.

import type { ErrorCode, Settlement } from "./settlement.ts";

export type { ErrorCode, Settlement };

export type Partner = {
  /** The partner's id */
  id: string;
  /** The partner's name, for people */
  name: string;
  /** What the partner does. AGGREGATOR: it brings in merchants. LIQUIDITY_PROVIDER: it provides funds */
  roles: Array<PartnerRole>;
  /** A short name for paths and people, unique among partners */
  slug: string;
  /** The address of the partner's own Safe. Empty if it has none */
  wallet_address: string;
  /** The partner's fee on top-ups and withdrawals, in percent, 0 to 100. Settlements have another fee */
  charge_fee_percentage: number;
  /** When the object was created */
  created_at: string;
  /** When the object last changed */
  updated_at: string;
  /** Whether the partner may use the service. suspended: every request of its keys is refused with partner_suspended */
  status: "active" | "suspended";
};

export type PartnerCreate = {
  /** The partner's name, for people */
  name: string;
  /** A short name for paths and people, unique among partners. It consists of lower-case letters, digits and dashes */
  slug: string;
  /** What the partner does. AGGREGATOR: it brings in merchants. LIQUIDITY_PROVIDER: it provides funds */
  roles: Array<PartnerRole>;
  /** The address of the partner's own Safe */
  wallet_address?: string | undefined;
  /** The fee on top-ups and withdrawals, in percent: 0 to 100, with at most 4 decimals. The default is 0 */
  charge_fee_percentage?: number | undefined;
};

export type PartnerRole = "AGGREGATOR" | "LIQUIDITY_PROVIDER";

export type UpdateChargingFee = {
  /** The fee on top-ups and withdrawals, in percent: 0 to 100, with at most 4 decimals */
  charge_fee_percentage: number;
};

export type Member = {
  /** The member's id. A path accepts it in place of external_user_id */
  id: string;
  /** Your own id for the member, unique among your members */
  external_user_id: string;
  /** The phone number in E.164 form, such as +254712345678, unique among your members */
  phone: string;
  /** The member's name. Null if none is known */
  name: string | null;
  /** The member's e-mail address. Null if none is known */
  email: string | null;
  /** The wallet that the member brought, or the member's Safe. Null until the Safe is deployed, and if its deployment failed */
  wallet_address: string | null;
  /** The blockchain network of the wallet as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The state of the member's Safe. Null for a member that brought its own wallet */
  safe_status: "deploying" | "deployed" | "failed" | null;
  /** When the object was created */
  created_at: string;
  /** When the object last changed */
  updated_at: string;
};

export type MemberCreate = {
  /** Your own id for the member, unique among your members */
  external_user_id: string;
  /** The phone number in E.164 form, such as +254712345678, unique among your members. Spaces, dots, dashes and brackets are ignored */
  phone: string;
  /** The member's name */
  name?: string | null | undefined;
  /** The member's e-mail address */
  email?: string | null | undefined;
  /** A wallet that the member already has. Without it, a Safe is deployed for the member */
  wallet_address?: string | null | undefined;
  /** The blockchain network of the wallet or the Safe, as a CAIP-2 id. The default is the first chain of the installation */
  chain?: string | null | undefined;
};

export type MemberUpdate = {
  /** The phone number in E.164 form, such as +254712345678, unique among your members. Spaces, dots, dashes and brackets are ignored */
  phone?: string | undefined;
  /** The new name. Null removes the name. If absent, it stays unchanged */
  name?: string | null | undefined;
  /** The new e-mail address. Null removes it. If absent, it stays unchanged */
  email?: string | null | undefined;
};

export type SafeInfo = {
  /** The address of the Safe */
  address: string;
  /** The contract that answers calls that the Safe itself does not know. The zero address means none */
  fallback_handler: string;
  /** The contract that may stop a transaction of the Safe. The zero address means none */
  guard: string;
  /** The contract whose code the Safe runs */
  master_copy: string;
  /** The contracts that may act for the Safe without its owners */
  modules: Array<string>;
  /** The number of transactions that the Safe has executed */
  nonce: number;
  /** The addresses that may sign for the Safe */
  owners: Array<string>;
  /** How many owners must sign a transaction */
  threshold: number;
  /** The version of the Safe contracts */
  version: string;
};

export type EthTx = {
  /** The hash of the transaction. While it is not in a block, a higher fee may replace it by another hash; nothing else changes */
  tx_hash: string;
  /** The address of the contract that the transaction creates. It is known as soon as the transaction is signed */
  contract_address: string;
  /** The transaction that creates the contract */
  tx: {
    /** The operator's wallet that sends the transaction */
    from: string;
    /** The contract that is called. Null if the transaction itself creates the contract */
    to: string | null;
    /** The data of the call, in hex */
    data: string;
    /** The amount of the chain's coin that is sent with it, in the coin's smallest unit */
    value: number;
    /** The gas limit of the transaction */
    gas: number;
    /** The nonce of the sending wallet */
    nonce: number;
    /** The number in the chain's CAIP-2 id, such as 1 for eip155:1 */
    chainId: number;
  };
};

export type ApiKeyCreate = {
  /** The id of the partner that the key acts for. Null for an operator's key */
  partner_id: string | null;
  /** A name for the key, for people */
  name?: string | undefined;
  /** The scopes of the key. A partner's key can have settlements:read, settlements:write, partner:read, partner:write; an operator's key settlements:decide, partners:admin, treasury, read. The default is all of them. In live mode the default leaves out partner:write, and is read for an operator's key */
  scopes?: Array<"settlements:read" | "settlements:write" | "partner:read" | "partner:write" | "settlements:decide" | "partners:admin" | "treasury" | "read"> | undefined;
  /** IP addresses and CIDR ranges that the key may be used from. The default is any address */
  allowed_ips?: Array<string> | undefined;
  /** Which requests on this surface must be signed, as on the settlement surface. true: requests that change something. all: every request. false: none. The default is all in live mode and false in the sandbox. In live mode a partner's key must sign at least its changes */
  signed_management?: boolean | "all" | undefined;
  /** When the key expires: an instant in the future, ISO 8601 with a time zone. Null or absent means never */
  expires_at?: string | null | undefined;
};

export type ApiKeyView = {
  /** The key's id, which you use in paths. It is not the api_key itself */
  id: string;
  /** The id of the partner that the key acts for. Null for an operator's key */
  partner_id: string | null;
  /** The name of the key, for people */
  name: string;
  /** The key that requests carry. Present only in the answer to creation or rotation */
  api_key?: string | undefined;
  /** The secret that signs requests. Present only in the answer to creation or rotation */
  api_secret?: string | undefined;
  /** The SHA-256 hash of the api_key, in hex */
  api_key_hash: string;
  /** The last four characters of the api_key */
  last_four: string;
  /** What the key may do */
  scopes: Array<"settlements:read" | "settlements:write" | "partner:read" | "partner:write" | "settlements:decide" | "partners:admin" | "treasury" | "read">;
  /** IP addresses and CIDR ranges that the key may be used from. An empty list means any address */
  allowed_ips: Array<string>;
  /** Which requests on this surface must be signed. true: requests that change something. all: every request. false: none */
  signed_management: boolean | "all";
  /** The id of the key that this key replaced by rotation. Null if it replaced none */
  rotated_from: string | null;
  /** The id of the key that created or rotated this key. If that key is revoked, this one is too. Null if a person created it */
  made_by_key: string | null;
  /** Present if a second person must confirm the key before it works: the id of that proposal */
  proposal_id?: string | undefined;
  /** When the object was created */
  created_at: string;
  /** When the key expires. Null if it never does */
  expires_at: string | null;
  /** When the key was revoked. After a rotation with an overlap it is in the future, and the key works until then. Null if it was not revoked */
  revoked_at: string | null;
  /** When the key was last used, to the minute. Null if it never was */
  last_used_at: string | null;
  /** When each operation was last called with the key, to the hour, newest first. Calls before version 1.2.0 are not included */
  last_uses: Array<{
    /** The operation's id in the OpenAPI document */
    operation: string;
    /** When it was last called */
    at: string;
  }>;
};

export type AuthCreate = {
  /** The person's e-mail address, which is also the name to log in with. It must be unique */
  username: string;
  /** The first password. A common or easily guessed password is refused. In live mode it has no effect for roles that decide: after a second person has confirmed the account, the person gets an e-mail with a link to set a password */
  password: string;
  /** The person's name, as others see it */
  name: string;
  /** What the person may do. admin: everything. approver: decide on settlements, and read. viewer: read */
  role: "admin" | "approver" | "viewer";
};

export type AuthView = {
  /** The account's id. For an operator's API key, the id of the key */
  id: string;
  /** The person's e-mail address. Null for an operator's API key */
  username: string | null;
  /** The name of the person or of the key */
  name: string;
  /** What the person may do. admin: everything. approver: decide on settlements, and read. viewer: read */
  role: "admin" | "approver" | "viewer";
  /** When the object was created */
  created_at: string;
  /** Present if a second person must confirm the account before it exists: the id of that proposal */
  proposal_id?: string | undefined;
};

export type Body_login_for_access_token_login_post = {
  /** The person's e-mail address */
  username: string;
  /** The person's password */
  password: string;
  /** The one-time code. Required if the person has set one up */
  otp?: string | undefined;
  /** The word password, as OAuth2 clients send it. Optional */
  grant_type?: string | undefined;
  /** OAuth2 clients send this field. It has no effect */
  scope?: string | undefined;
  /** OAuth2 clients send this field. It has no effect */
  client_id?: string | undefined;
  /** OAuth2 clients send this field. It has no effect */
  client_secret?: string | undefined;
};

export type LoginResponse = {
  /** The access token. Send it in the header Authorization, after Bearer */
  access_token: string;
  /** The type of the token: bearer */
  token_type: "bearer";
  /** How long the token is valid, in seconds of real time */
  expires_in: number;
};

/** The fiat currency as an ISO 4217 code, such as USD */
export type FiatCurrency = string;

/** The symbol of a token or coin, such as USDT */
export type CryptoCurrency = string;

export type ExchangeRate = {
  /** The fiat currency as an ISO 4217 code, such as KES */
  source_currency: FiatCurrency;
  /** The symbol of the token or coin, such as USDT */
  destination_currency: CryptoCurrency;
  /** The mid rate, before any spread: units of destination_currency for one major unit of source_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  rate: number;
  /** The source of the rate */
  source: string;
  /** When the rate was observed. For a fixed rate, when it was set */
  as_of: string;
};

export type WithdrawCreate = {
  /** Your own reference, unique among your withdrawals */
  external_id: string;
  /** The fiat to pay out, in minor units of currency. The fee is not included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: FiatCurrency;
  /** The symbol of the token that is taken from the Safe, such as USDT */
  source_currency: CryptoCurrency;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The account that the fiat is paid to */
  destination: {
    /** The kind of account */
    type: "mobile_money" | "bank_account";
    /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number */
    account: string;
    /** The payee's name, as it is on the account */
    name: string;
  };
  /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives a callback when the order has ended. Without it, no callback is sent */
  callback_url?: string | undefined;
  /** The most crypto to take, in units of source_currency. If the price comes to more, the request is refused with quote_changed */
  maximum_source_amount?: number | undefined;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each */
  metadata?: Record<string, string> | undefined;
};

export type WithdrawPartnerCreate = {
  /** Your own reference, unique among your withdrawals */
  external_id: string;
  /** The fiat to pay out, in minor units of currency. The fee is not included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: FiatCurrency;
  /** The symbol of the token that is taken from the Safe, such as USDT */
  source_currency: CryptoCurrency;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The account that the fiat is paid to */
  destination: {
    /** The kind of account */
    type: "mobile_money" | "bank_account";
    /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number */
    account: string;
    /** The payee's name, as it is on the account */
    name: string;
  };
  /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives a callback when the order has ended. Without it, no callback is sent */
  callback_url?: string | undefined;
  /** The most crypto to take, in units of source_currency. If the price comes to more, the request is refused with quote_changed */
  maximum_source_amount?: number | undefined;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each */
  metadata?: Record<string, string> | undefined;
  /** Your own id for the member whose Safe pays */
  external_user_id: string;
};

export type WithdrawRequestResponse = {
  /** The withdrawal's id. It begins with wd_ */
  id: string;
  /** The status. completed and failed are final */
  status: "pending" | "processing" | "completed" | "failed";
  /** Your own reference, unique among your withdrawals */
  external_id: string;
  /** Your own id for the member whose Safe pays. Null if your own Safe pays */
  external_user_id: string | null;
  /** The fiat to pay out, in minor units of currency. The fee is not included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: string;
  /** The symbol of the token that is taken from the Safe, such as USDT */
  source_currency: string;
  /** The crypto taken from the Safe for amount and fee together, in units of source_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  source_amount: number;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The account that the fiat is paid to */
  destination: {
    /** The kind of account */
    type: string;
    /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number */
    account: string;
    /** The payee's name, as it is on the account */
    name: string;
  };
  /** The URL that the callback is sent to. Null if no callback is sent */
  callback_url: string | null;
  /** The hash of the transaction that returned the crypto after a failed payout. Null if nothing was returned */
  return_tx_hash: string | null;
  /** Why the withdrawal waits before its crypto is taken. new_payee: you have not paid this account before, and can check it. hold: the operator's people decide. Null if it does not wait */
  waiting_reason: "new_payee" | "hold" | null;
  /** When it began to wait for waiting_reason. Null if it does not wait */
  waiting_since: string | null;
  /** When the wait ends by itself. An owner can end it earlier by accepting the payee in the console. Null if it does not wait, or if people decide */
  waiting_until: string | null;
  /** Major units of the fiat for one unit of the crypto, such as 129.2 KES for 1 USDT. Settlements and top-ups state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up */
  fee: number;
  /** The hash of the transfer's transaction. Null until the transfer is final on the chain */
  tx_hash: string | null;
  /** The fiat provider's own reference for the payment. Null until the provider reports one */
  provider_reference: string | null;
  /** Why it failed, in one sentence. Null unless it failed */
  failure_reason: string | null;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When the object last changed */
  updated_at: string;
  /** When it was completed. Null until then */
  completed_at: string | null;
  /** When you cancelled it. Its status is then failed. Null if you did not cancel it */
  cancelled_at: string | null;
};

export type WithdrawPreview = {
  /** The fiat to pay out, in minor units of currency. The fee is not included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: string;
  /** The symbol of the token that is taken from the Safe, such as USDT */
  source_currency: string;
  /** The crypto taken from the Safe for amount and fee together, in units of source_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  source_amount: number;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** Major units of the fiat for one unit of the crypto, such as 129.2 KES for 1 USDT. Settlements and top-ups state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up */
  fee: number;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** When the underlying mid rate was observed */
  as_of: string;
};

export type TopupPreview = {
  /** The fiat to collect, in minor units of currency. The fee is included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: string;
  /** The symbol of the token that is sent to the member's wallet, such as USDT */
  destination_currency: string;
  /** The crypto sent to the wallet for amount minus fee, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  destination_amount: number;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** Units of the crypto for one major unit of the fiat, such as 0.0077 USDT for 1 KES. Withdrawals state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up */
  fee: number;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** When the underlying mid rate was observed */
  as_of: string;
};

export type WithdrawPartnerResponse = {
  /** The withdrawal's id. It begins with wd_ */
  id: string;
  /** The status. completed and failed are final */
  status: "pending" | "processing" | "completed" | "failed";
  /** Your own reference, unique among your withdrawals */
  external_id: string;
  /** Your own id for the member whose Safe pays */
  external_user_id: string;
  /** The fiat to pay out, in minor units of currency. The fee is not included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: string;
  /** The symbol of the token that is taken from the Safe, such as USDT */
  source_currency: string;
  /** The crypto taken from the Safe for amount and fee together, in units of source_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  source_amount: number;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The account that the fiat is paid to */
  destination: {
    /** The kind of account */
    type: string;
    /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number */
    account: string;
    /** The payee's name, as it is on the account */
    name: string;
  };
  /** The URL that the callback is sent to. Null if no callback is sent */
  callback_url: string | null;
  /** The hash of the transaction that returned the crypto after a failed payout. Null if nothing was returned */
  return_tx_hash: string | null;
  /** Why the withdrawal waits before its crypto is taken. new_payee: you have not paid this account before, and can check it. hold: the operator's people decide. Null if it does not wait */
  waiting_reason: "new_payee" | "hold" | null;
  /** When it began to wait for waiting_reason. Null if it does not wait */
  waiting_since: string | null;
  /** When the wait ends by itself. An owner can end it earlier by accepting the payee in the console. Null if it does not wait, or if people decide */
  waiting_until: string | null;
  /** Major units of the fiat for one unit of the crypto, such as 129.2 KES for 1 USDT. Settlements and top-ups state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up */
  fee: number;
  /** The hash of the transfer's transaction. Null until the transfer is final on the chain */
  tx_hash: string | null;
  /** The fiat provider's own reference for the payment. Null until the provider reports one */
  provider_reference: string | null;
  /** Why it failed, in one sentence. Null unless it failed */
  failure_reason: string | null;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When the object last changed */
  updated_at: string;
  /** When it was completed. Null until then */
  completed_at: string | null;
  /** When you cancelled it. Its status is then failed. Null if you did not cancel it */
  cancelled_at: string | null;
};

export type TopupRequestCreate = {
  /** Your own reference, unique among your top-ups */
  external_id: string;
  /** Your own id for the member, who pays the fiat and receives the crypto */
  external_user_id: string;
  /** The fiat to collect, in minor units of currency. The fee is included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: FiatCurrency;
  /** The symbol of the token that is sent to the member's wallet, such as USDT */
  destination_currency: CryptoCurrency;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The account that the fiat is collected from */
  source: {
    /** The kind of account */
    type: "mobile_money" | "bank_account";
    /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number */
    account: string;
  };
  /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives a callback when the order has ended. Without it, no callback is sent */
  callback_url?: string | undefined;
  /** The least crypto to send, in units of destination_currency. If the price comes to less, the request is refused with quote_changed */
  minimum_destination_amount?: number | undefined;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each */
  metadata?: Record<string, string> | undefined;
};

export type TopupRequestResponse = {
  /** The top-up's id. It begins with tu_ */
  id: string;
  /** The status. completed and failed are final */
  status: "pending" | "processing" | "completed" | "failed";
  /** Your own reference, unique among your top-ups */
  external_id: string;
  /** Your own id for the member, who pays the fiat and receives the crypto */
  external_user_id: string;
  /** The fiat to collect, in minor units of currency. The fee is included */
  amount: number;
  /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
  currency: string;
  /** The symbol of the token that is sent to the member's wallet, such as USDT */
  destination_currency: string;
  /** The crypto sent to the wallet for amount minus fee, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  destination_amount: number;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The member's wallet. The crypto is sent to it */
  wallet_address: string;
  /** The account that the fiat is collected from */
  source: {
    /** The kind of account */
    type: string;
    /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number */
    account: string;
  };
  /** What the payer needs for the payment */
  payment: {
    /** The reference that the payer must give with the payment. Null if none is needed */
    reference: string | null;
    /** What the payer has to do now, in words. Null if nothing */
    instructions: string | null;
  };
  /** The URL that the callback is sent to. Null if no callback is sent */
  callback_url: string | null;
  /** When the top-up expires. It fails then if it has not been paid */
  expires_at: string;
  /** When it was paid after it had expired. No crypto is sent for it, and the operator handles the money. Null if it was not paid late */
  paid_late_at: string | null;
  /** Units of the crypto for one major unit of the fiat, such as 0.0077 USDT for 1 KES. Withdrawals state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up */
  fee: number;
  /** The hash of the transfer's transaction. Null until the transfer is final on the chain */
  tx_hash: string | null;
  /** The fiat provider's own reference for the payment. Null until the provider reports one */
  provider_reference: string | null;
  /** Why it failed, in one sentence. Null unless it failed */
  failure_reason: string | null;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When the object last changed */
  updated_at: string;
  /** When it was completed. Null until then */
  completed_at: string | null;
  /** When you cancelled it. Its status is then failed. Null if you did not cancel it */
  cancelled_at: string | null;
};

export type TransactionListResponse = {
  /** A page of transactions, newest first */
  items: Array<Transaction>;
  /** The number of transactions in all, with the same filters */
  total: number;
  /** The number of transactions skipped before this page */
  skip: number;
  /** The most transactions on this page */
  limit: number;
  /** The cursor of the next page. Null on the last page */
  next_cursor: string | null;
};

export type Transaction = {
  /** The type of transaction. A settlement or top-up turns fiat into crypto, a withdrawal turns crypto into fiat */
  type: "settlement" | "withdrawal" | "topup";
  /** The id. It begins with tx_ for a settlement, wd_ for a withdrawal and tu_ for a top-up */
  id: string;
  /** The id of the partner that the transaction belongs to */
  partner_id: string;
  /** Your own reference: external_tx_id of a settlement, external_id of a withdrawal or top-up. Null for a settlement that is not confirmed */
  external_id: string | null;
  /** The status. Each type has its own statuses */
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled" | "pending" | "completed";
  /** The currency that is paid in: an ISO 4217 code for fiat, a symbol for crypto */
  source_currency: string;
  /** The amount that is paid in. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  source_amount: number;
  /** The currency that is paid out: an ISO 4217 code for fiat, a symbol for crypto */
  destination_currency: string;
  /** The amount that is paid out. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  destination_amount: number;
  /** Units of destination_currency for one unit of source_currency, such as 0.0077 for KES to USDT and 129.2 for USDT to KES. For fiat, the unit is the major unit. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** The platform fee of a settlement, or the charge fee of a withdrawal or top-up. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  fee: number;
  /** The currency of fee. It is crypto for a settlement, and fiat for a withdrawal or top-up */
  fee_currency: string;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The hash of the transfer's transaction. Null until the transfer is final on the chain */
  tx_hash: string | null;
  /** Why it failed, in one sentence. Null unless it failed */
  failure_reason: string | null;
  /** When the object was created */
  created_at: string;
  /** When it was executed or completed. Null until then */
  completed_at: string | null;
};

export type Conversion = {
  /** The currency that was converted from, as you asked */
  from: string;
  /** The currency that was converted to, as you asked */
  to: string;
  /** The amount of from, as you asked. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  amount: number;
  /** The mid rate: units of to for one unit of from. For fiat, the unit is the major unit. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  rate: number;
  /** The converted amount, rounded down. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  converted_amount: number;
  /** When the rate was observed. For a fixed rate, when it was set */
  as_of: string;
};

export type PartnerPayment = {
  /** The booking's id. It begins with bk_. Null while the booking waits for a second person */
  id: string | null;
  /** The id of the partner that paid */
  partner_id: string;
  /** The amount that was paid, in minor units of currency */
  amount: number;
  /** The fiat currency as an ISO 4217 code, such as KES */
  currency: string;
  /** When the bank received the payment. It cannot be in the future */
  received_at: string;
  /** The bank's own reference of the payment. Each reference is booked only once, for one partner */
  reference: string;
  /** proposed: a second person must still confirm it. booked: the amount is deducted from what the partner owes. reversed: the booking was undone */
  status: "proposed" | "booked" | "reversed";
  /** When it was booked. Null until then */
  booked_at: string | null;
  /** When it was reversed. Null if it was not */
  reversed_at: string | null;
};

export type PartnerPaymentCreate = {
  /** The amount that was paid, in minor units of currency */
  amount: number;
  /** The fiat currency as an ISO 4217 code, such as KES */
  currency: string;
  /** When the bank received the payment. It cannot be in the future */
  received_at: string;
  /** The bank's own reference of the payment. Each reference is booked only once, for one partner */
  reference: string;
  /** A note for the audit log */
  note?: string | undefined;
};

export type CallbackSecret = {
  /** The secret that signs callbacks. It begins with whsec_ and is shown only once */
  callback_secret: string;
  /** Until when callbacks also carry a signature with the old secret. Another rotation may end this earlier. Null if there is no old secret */
  previous_expires_at: string | null;
};

export type WithdrawFiatPool = {
  /** The fiat currency of the pool, as an ISO 4217 code. All amounts of the pool are in its minor units */
  currency: string;
  /** The amount that the pool holds, in minor units */
  total: number;
  /** The part of total that is reserved for withdrawals in progress, in minor units */
  reserved: number;
  /** The amount available for new withdrawals, in minor units: total minus reserved */
  available: number;
  /** The smallest amount of one withdrawal, in minor units */
  minimum: number;
  /** The largest amount of one withdrawal, in minor units. It may exceed what the pool holds: a withdrawal must also fit into available */
  maximum: number;
};

export type ProviderCallback = {
  /** The id of our withdrawal or top-up. It begins with wd_ or tu_ */
  order_id: string;
  /** The provider's own reference for the payment */
  reference: string;
  /** Whether the fiat was paid out or collected. Final */
  status: "succeeded" | "failed";
  /** Why it failed, in words for people. Null or absent if no reason is given */
  reason?: string | null | undefined;
};

export type HTTPValidationError = {
  /** Each fault with its place */
  detail: Array<ValidationError>;
  /** The error code, for programs. New codes may be added */
  code: ErrorCode;
  /** The request's id, as in the header X-Request-Id. Give it when you ask the operator for help */
  request_id: string;
};

export type ValidationError = {
  /** The place of the fault: the part of the request (body or query), then the path to the value */
  loc: Array<string | number>;
  /** What is wrong, in words for people */
  msg: string;
  /** The kind of fault, such as missing or too_long */
  type: string;
};

export type Error = {
  /** What is wrong in this case, in one sentence for people */
  detail: string;
  /** The error code, for programs. New codes may be added */
  code: ErrorCode;
  /** The request's id, as in the header X-Request-Id. Give it when you ask the operator for help */
  request_id: string;
  /** With quote_changed, of a withdrawal: the crypto that it would take now. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  current_source_amount?: number | undefined;
  /** With quote_changed, of a top-up: the crypto that it would send now. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  current_destination_amount?: number | undefined;
  /** With invalid_state, of a withdrawal or top-up: its status, which cannot be cancelled */
  order_status?: "pending" | "processing" | "completed" | "failed" | undefined;
  /** With conflict, if a Safe is missing: the state of that Safe. Null if none is being deployed for this member or partner */
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
      /** How many items to skip. The default is 0 */
      skip?: number | undefined;
      /** The most items to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** Return only items whose name or reference contains this text. Upper and lower case are the same */
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
      /** Whether the partner may use the service. suspended: every request of its keys is refused with partner_suspended */
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
      /** How many items to skip. The default is 0 */
      skip?: number | undefined;
      /** The most items to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** Return only items whose name or reference contains this text. Upper and lower case are the same */
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
      /** The key's id, a UUID. It is not the api_key itself */
      id: string;
    };
    query: {
      /** If true, nothing is revoked, and the answer lists the keys that would end */
      dry_run?: string | undefined;
    };
    body: never;
    result: {
      /** The key, the keys rotated from it and the keys created with it. Keys that have already ended are left out */
      ends: Array<ApiKeyView>;
    };
  };
  /** Rotate Api Key */
  rotate_api_key: {
    method: "POST";
    path: "/partners/api-keys/{id}/rotate";
    params: {
      /** The key's id, a UUID. It is not the api_key itself */
      id: string;
    };
    query: Record<string, never>;
    body: {
      /** How long the old one stays valid next to the new one, in seconds of real time. 0 ends it at once */
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
      /** How long the old one stays valid next to the new one, in seconds of real time. 0 ends it at once */
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
      /** How many items to skip. The default is 0 */
      skip?: number | undefined;
      /** The most items to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** Return only items whose name or reference contains this text. Upper and lower case are the same */
      search?: string | undefined;
      /** The next cursor of the previous page, in place of skip. Pages by cursor neither repeat nor miss an item when new ones are added */
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
      /** Your own id for the member, or the id that the service gave it */
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
      /** Your own id for the member, or the id that the service gave it */
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
      /** Your own id for the member, or the id that the service gave it */
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
  /** Preview the price of a withdrawal. Nothing is stored */
  withdraw_fiat_preview: {
    method: "GET";
    path: "/partners/transactions/withdraw-fiat/preview";
    params: Record<string, never>;
    query: {
      /** The fiat to pay out, in minor units of currency. The fee is not included */
      amount: number;
      /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
      currency: string;
      /** The blockchain network as a CAIP-2 id, such as eip155:1 */
      chain: string;
      /** The symbol of the token that is taken from the Safe, such as USDT */
      source_currency: string;
    };
    body: never;
    result: WithdrawPreview;
  };
  /** Preview the price of a top-up. Nothing is stored */
  topup_fiat_preview: {
    method: "GET";
    path: "/partners/transactions/topup-fiat/preview";
    params: Record<string, never>;
    query: {
      /** The fiat to collect, in minor units of currency. The fee is included */
      amount: number;
      /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES */
      currency: string;
      /** The blockchain network as a CAIP-2 id, such as eip155:1 */
      chain: string;
      /** The symbol of the token that is sent to the member's wallet, such as USDT */
      destination_currency: string;
    };
    body: never;
    result: TopupPreview;
  };
  /** Withdraw Fiat Status */
  withdraw_fiat_status: {
    method: "GET";
    path: "/partners/transactions/withdraw-fiat/{id}";
    params: {
      /** The withdrawal's id. It begins with wd_ */
      id: string;
    };
    query: Record<string, never>;
    body: never;
    result: WithdrawRequestResponse;
  };
  /** Cancel a withdrawal before its crypto is taken */
  withdraw_fiat_cancel: {
    method: "POST";
    path: "/partners/transactions/withdraw-fiat/{id}/cancel";
    params: {
      /** The withdrawal's id. It begins with wd_ */
      id: string;
    };
    query: Record<string, never>;
    body: never;
    result: WithdrawRequestResponse;
  };
  /** Cancel a top-up before the provider is asked to collect */
  topup_fiat_cancel: {
    method: "POST";
    path: "/partners/transactions/topup-fiat/{id}/cancel";
    params: {
      /** The top-up's id. It begins with tu_ */
      id: string;
    };
    query: Record<string, never>;
    body: never;
    result: TopupRequestResponse;
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
      /** The top-up's id. It begins with tu_ */
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
      /** Always true: the callback is recorded, whether it is new, a repeat or without effect */
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
      /** Always true: the callback is recorded, whether it is new, a repeat or without effect */
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
      /** The currency to convert from, fiat or crypto */
      from: string;
      /** The currency to convert to. If from is fiat it must be crypto, and the other way round */
      to: string;
      /** The amount of from to convert. Fiat is in minor units, crypto in units */
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
      /** Return only transactions of this type */
      type?: "settlement" | "withdrawal" | "topup" | undefined;
      /** Return only transactions with this status */
      status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | "pending" | "completed" | undefined;
      /** Return only transactions with this external_id */
      external_id?: string | undefined;
      /** Return only transactions of this partner. For the operator, who sees all partners */
      partner_id?: string | undefined;
      /** Return only objects created at this instant or later. ISO 8601 with a time zone */
      created_from?: string | undefined;
      /** Return only objects created before this instant. ISO 8601 with a time zone */
      created_to?: string | undefined;
      /** How many items to skip. The default is 0 */
      skip?: number | undefined;
      /** The most items to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** The next cursor of the previous page, in place of skip. Pages by cursor neither repeat nor miss an item when new ones are added */
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
      /** The blockchain network as a CAIP-2 id, such as eip155:1 */
      chain: string;
      /** The addresses that may sign for the Safe */
      owners: Array<string>;
      /** How many of the owners must sign a transaction */
      threshold: number;
      /** The version of the Safe contracts. The default is 1.4.1 */
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
      /** The blockchain network as a CAIP-2 id, such as eip155:1 */
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
      /** The blockchain network as a CAIP-2 id, such as eip155:1 */
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
      /** The blockchain network as a CAIP-2 id, such as eip155:1 */
      chain: string;
      /** The version of the Safe contracts. The default is 1.4.1 */
      version?: "1.3.0" | "1.4.1" | undefined;
    };
    result: EthTx;
  };
  /** Approve a settlement: it gets a new price and can be confirmed. Above the second threshold it stays pending until a second approval. Where a passkey must sign, as in live mode by default, only a person in the console can approve */
  approve_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/approve";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The reason for the decision. It is kept in the audit log */
      note?: string | undefined;
      /** The rate that you saw. If the rate has moved since, the request is refused with rate_moved */
      expected_exchange_rate?: number | undefined;
    };
    result: Settlement;
  };
  /** Reject a settlement: it is cancelled, and no callback is sent */
  reject_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/reject";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The reason. The partner sees it as rejection_reason */
      reason: string;
    };
    result: Settlement;
  };
  /** Release a held settlement, so that it is paid. It is not held for the same reason again. In live mode a second person must confirm the release, and no API key can release */
  release_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/release";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The reason for the decision. It is kept in the audit log */
      reason: string;
    };
    result: Settlement;
  };
  /** Refuse a held settlement: nothing is paid, and it fails with the given reason */
  refuse_settlement: {
    method: "POST";
    path: "/admins/settlements/{tx_id}/refuse";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The reason. The partner sees it in failure_reason */
      reason: string;
    };
    result: Settlement;
  };
  /** Approve all items of a batch: they get a new price and can be confirmed. Where two people must approve, the batch stays pending until the second approval */
  approve_batch: {
    method: "POST";
    path: "/admins/settlement-batches/{batch_id}/approve";
    params: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The reason for the decision. It is kept in the audit log */
      note?: string | undefined;
      /** The total that you saw in each destination currency, such as {"USDT": 153.5}. If the rate has moved since, the request is refused with rate_moved */
      expected_total?: Record<string, number> | undefined;
    };
    result: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
      /** Your own id for the batch */
      external_batch_id: string;
      /** The batch's status. completed means that every item has ended. completed and cancelled are final */
      status: "quoted" | "processing" | "completed" | "cancelled";
      /** The state of the operator's approval, for all items together. While it is pending, the batch cannot be confirmed. Null if no approval is needed */
      approval_state: "pending" | "approved" | "rejected" | null;
      /** The number of items in the batch */
      item_count: number;
      /** The number of items by status */
      counts: {
        /** The number of items with status quoted */
        quoted: number;
        /** The number of items with status processing */
        processing: number;
        /** The number of items with status executed */
        executed: number;
        /** The number of items with status failed */
        failed: number;
        /** The number of items with status cancelled */
        cancelled: number;
      };
      /** The sums of the items, one entry for each pair of currencies */
      totals: Array<{
        /** The fiat currency that you collect, as an ISO 4217 code such as KES */
        source_currency: string;
        /** The sum of the pair's items, in minor units of source_currency */
        source_amount: number;
        /** The symbol of the token that the wallets receive, such as USDT */
        destination_currency: string;
        /** The sum that the wallets receive, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
        destination_amount: number;
        /** The sum of the fees, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
        platform_fee: number;
      }>;
      /** When the first quote among the items expires. Confirm the batch before this instant */
      expires_at: string;
      /** The URL that receives batch.completed. Null until you give one */
      callback_url: string | null;
      /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
      metadata: Record<string, string>;
      /** When the object was created */
      created_at: string;
      /** When it was confirmed. Null until then */
      confirmed_at: string | null;
      /** When the last item ended. Null until then */
      completed_at: string | null;
    };
  };
  /** Reject a batch: it is cancelled with all its items, and no callback is sent */
  reject_batch: {
    method: "POST";
    path: "/admins/settlement-batches/{batch_id}/reject";
    params: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The reason. The partner sees it as rejection_reason of each item */
      reason: string;
    };
    result: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
      /** Your own id for the batch */
      external_batch_id: string;
      /** The batch's status. completed means that every item has ended. completed and cancelled are final */
      status: "quoted" | "processing" | "completed" | "cancelled";
      /** The state of the operator's approval, for all items together. While it is pending, the batch cannot be confirmed. Null if no approval is needed */
      approval_state: "pending" | "approved" | "rejected" | null;
      /** The number of items in the batch */
      item_count: number;
      /** The number of items by status */
      counts: {
        /** The number of items with status quoted */
        quoted: number;
        /** The number of items with status processing */
        processing: number;
        /** The number of items with status executed */
        executed: number;
        /** The number of items with status failed */
        failed: number;
        /** The number of items with status cancelled */
        cancelled: number;
      };
      /** The sums of the items, one entry for each pair of currencies */
      totals: Array<{
        /** The fiat currency that you collect, as an ISO 4217 code such as KES */
        source_currency: string;
        /** The sum of the pair's items, in minor units of source_currency */
        source_amount: number;
        /** The symbol of the token that the wallets receive, such as USDT */
        destination_currency: string;
        /** The sum that the wallets receive, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
        destination_amount: number;
        /** The sum of the fees, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
        platform_fee: number;
      }>;
      /** When the first quote among the items expires. Confirm the batch before this instant */
      expires_at: string;
      /** The URL that receives batch.completed. Null until you give one */
      callback_url: string | null;
      /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
      metadata: Record<string, string>;
      /** When the object was created */
      created_at: string;
      /** When it was confirmed. Null until then */
      confirmed_at: string | null;
      /** When the last item ended. Null until then */
      completed_at: string | null;
    };
  };
}

export interface Webhooks {
  /** The provider has paid out a withdrawal */
  "withdrawal.completed": WithdrawRequestResponse & {
    /** The final status */
    status: "completed";
    /** When it was completed */
    completed_at: string;
    /** The event that the callback reports */
    event: "withdrawal.completed";
  };
  /** A withdrawal failed and was not paid out. If its crypto had been taken, return_tx_hash is the transaction that returned it */
  "withdrawal.failed": WithdrawRequestResponse & {
    /** The final status */
    status: "failed";
    /** Why it failed, in one sentence */
    failure_reason: string;
    /** The event that the callback reports */
    event: "withdrawal.failed";
  };
  /** You cancelled a withdrawal before anything had moved. Its status is failed */
  "withdrawal.cancelled": WithdrawRequestResponse & {
    /** The final status */
    status: "failed";
    /** Why it failed, in one sentence */
    failure_reason: string;
    /** When you cancelled it */
    cancelled_at: string;
    /** The event that the callback reports */
    event: "withdrawal.cancelled";
  };
  /** A top-up was collected, and its crypto has arrived in the member's wallet, final on the chain */
  "topup.completed": TopupRequestResponse & {
    /** The final status */
    status: "completed";
    /** When it was completed */
    completed_at: string;
    /** The event that the callback reports */
    event: "topup.completed";
  };
  /** A top-up failed. No crypto is sent for it */
  "topup.failed": TopupRequestResponse & {
    /** The final status */
    status: "failed";
    /** Why it failed, in one sentence */
    failure_reason: string;
    /** The event that the callback reports */
    event: "topup.failed";
  };
  /** You cancelled a top-up before anything had moved. Its status is failed */
  "topup.cancelled": TopupRequestResponse & {
    /** The final status */
    status: "failed";
    /** Why it failed, in one sentence */
    failure_reason: string;
    /** When you cancelled it */
    cancelled_at: string;
    /** The event that the callback reports */
    event: "topup.cancelled";
  };
}

