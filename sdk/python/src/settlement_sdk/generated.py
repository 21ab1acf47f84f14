# Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

from __future__ import annotations

from typing import Any, Dict, List, Literal, Tuple, TypedDict, Union

from .received import Callback as Received

class Settlement_undelivered_callbacks_attempts(TypedDict):
    number: Union[int, None]
    scheduled_at: str
    sent_at: str
    duration_ms: Union[int, None]
    response_status: Union[int, None]
    error: Union[str, None]

class Settlement_undelivered_callbacks(TypedDict):
    id: str
    event: Literal["settlement.approved", "settlement.executed", "settlement.failed", "withdrawal.completed", "withdrawal.failed", "topup.completed", "topup.failed"]
    callback_url: str
    created_at: str
    undelivered_at: str
    attempts: List[Settlement_undelivered_callbacks_attempts]
    payload: Dict[str, Any]

class Settlement_network_cost_0(TypedDict):
    amount: float
    currency: str
    new_holder: Union[bool, None]

class _Settlement(TypedDict):
    tx_id: str
    batch_id: Union[str, None]
    external_tx_id: Union[str, None]
    status: Literal["quoted", "processing", "executed", "failed", "cancelled"]
    approval_state: Union[Literal["pending", "approved", "rejected"], None]
    source_amount: int
    source_currency: str
    destination_currency: str
    external_merchant_id: str
    chain: str
    wallet_address: str
    destination_amount: float
    platform_fee: float
    exchange_rate: float
    rate_unit: str
    expires_at: str
    callback_url: Union[str, None]
    metadata: Dict[str, str]
    created_at: str
    updated_at: str
    confirmed_at: Union[str, None]
    cancelled_at: Union[str, None]
    approval_decided_at: Union[str, None]
    rejection_reason: Union[str, None]
    waiting_reason: Union[Literal["treasury_funding", "chain_unavailable", "review", "hold"], None]
    waiting_since: Union[str, None]
    undelivered_callbacks: List[Settlement_undelivered_callbacks]

class Settlement(_Settlement, total=False):
    tx_hash: str
    executed_at: str
    failure_reason: str
    failed_at: str
    network_cost: Union[Settlement_network_cost_0, None]

class Event(TypedDict):
    id: str
    type: Literal["settlement.created", "settlement.approved", "settlement.rejected", "settlement.confirmed", "settlement.cancelled", "settlement.held", "settlement.released", "settlement.executed", "settlement.failed", "batch.created", "batch.approved", "batch.rejected", "batch.confirmed", "batch.cancelled", "batch.completed", "withdrawal.created", "withdrawal.processing", "withdrawal.completed", "withdrawal.failed", "withdrawal.cancelled", "topup.created", "topup.processing", "topup.completed", "topup.failed", "topup.cancelled", "member.safe_deployed", "member.safe_failed", "callback.undelivered", "destination.paused"]
    created_at: str
    object_type: Literal["settlement", "batch", "withdrawal", "topup", "member", "callback", "destination"]
    object_id: str
    version: int
    data: Dict[str, Any]

class EventDestination_last_test_0(TypedDict):
    asked_at: str
    ended_at: Union[str, None]
    delivered: Union[bool, None]
    error: Union[str, None]

class _EventDestination(TypedDict):
    id: str
    type: Literal["webhook", "amqp", "nats"]
    url: str
    types: List[str]
    description: str
    status: Literal["active", "paused"]
    created_at: str
    last_delivered_at: Union[str, None]
    failing_since: Union[str, None]
    last_error: Union[str, None]
    next_attempt_at: Union[str, None]
    paused_at: Union[str, None]
    last_test: Union[EventDestination_last_test_0, None]

class EventDestination(_EventDestination, total=False):
    secret: str

class EventDestinationList(TypedDict):
    data: List[EventDestination]

class _EventDestinationCreate(TypedDict):
    type: Literal["webhook", "amqp", "nats"]
    url: str
    types: List[str]

class EventDestinationCreate(_EventDestinationCreate, total=False):
    description: str

class EventDestinationChange(TypedDict, total=False):
    types: List[str]
    description: str
    status: Literal["active", "paused"]

class Batch_counts(TypedDict):
    quoted: int
    processing: int
    executed: int
    failed: int
    cancelled: int

class Batch_totals(TypedDict):
    source_currency: str
    source_amount: int
    destination_currency: str
    destination_amount: float
    platform_fee: float

class _Batch(TypedDict):
    batch_id: str
    external_batch_id: str
    status: Literal["quoted", "processing", "completed", "cancelled"]
    approval_state: Union[Literal["pending", "approved", "rejected"], None]
    item_count: int
    counts: Batch_counts
    totals: List[Batch_totals]
    expires_at: str
    callback_url: Union[str, None]
    metadata: Dict[str, str]
    created_at: str
    confirmed_at: Union[str, None]
    completed_at: Union[str, None]

class Batch(_Batch):
    pass

class BatchCompleted(_Batch):
    event: Literal["batch.completed"]

class BatchWithItems_counts(TypedDict):
    quoted: int
    processing: int
    executed: int
    failed: int
    cancelled: int

class BatchWithItems_totals(TypedDict):
    source_currency: str
    source_amount: int
    destination_currency: str
    destination_amount: float
    platform_fee: float

class BatchWithItems(TypedDict):
    batch_id: str
    external_batch_id: str
    status: Literal["quoted", "processing", "completed", "cancelled"]
    approval_state: Union[Literal["pending", "approved", "rejected"], None]
    item_count: int
    counts: BatchWithItems_counts
    totals: List[BatchWithItems_totals]
    expires_at: str
    callback_url: Union[str, None]
    metadata: Dict[str, str]
    created_at: str
    confirmed_at: Union[str, None]
    completed_at: Union[str, None]
    items: List[Settlement]

class BatchEstimate_counts(TypedDict):
    quoted: int
    processing: int
    executed: int
    failed: int
    cancelled: int

class BatchEstimate_totals(TypedDict):
    source_currency: str
    source_amount: int
    destination_currency: str
    destination_amount: float
    platform_fee: float

class BatchEstimate(TypedDict):
    batch_id: Union[str, None]
    external_batch_id: Union[str, None]
    status: Literal["quoted", "processing", "completed", "cancelled"]
    approval_state: Union[Literal["pending", "approved", "rejected"], None]
    item_count: int
    counts: BatchEstimate_counts
    totals: List[BatchEstimate_totals]
    expires_at: str
    callback_url: Union[str, None]
    metadata: Dict[str, str]
    created_at: str
    confirmed_at: Union[str, None]
    completed_at: Union[str, None]
    items: List[EstimatedSettlement]

class EstimatedSettlement_undelivered_callbacks(TypedDict):
    id: str
    event: Literal["settlement.approved", "settlement.executed", "settlement.failed", "withdrawal.completed", "withdrawal.failed", "topup.completed", "topup.failed"]
    callback_url: str
    created_at: str
    undelivered_at: str
    attempts: List[CallbackAttempt]
    payload: Dict[str, Any]

class _EstimatedSettlement(TypedDict):
    tx_id: Union[str, None]
    batch_id: Union[str, None]
    external_tx_id: Union[str, None]
    status: Literal["quoted", "processing", "executed", "failed", "cancelled"]
    approval_state: Union[Literal["pending", "approved", "rejected"], None]
    source_amount: int
    source_currency: str
    destination_currency: str
    external_merchant_id: str
    chain: str
    wallet_address: str
    destination_amount: float
    platform_fee: float
    exchange_rate: float
    rate_unit: str
    expires_at: str
    callback_url: Union[str, None]
    metadata: Dict[str, str]
    created_at: str
    updated_at: str
    confirmed_at: Union[str, None]
    cancelled_at: Union[str, None]
    approval_decided_at: Union[str, None]
    rejection_reason: Union[str, None]
    waiting_reason: Union[Literal["treasury_funding", "chain_unavailable", "review", "hold"], None]
    waiting_since: Union[str, None]
    undelivered_callbacks: List[EstimatedSettlement_undelivered_callbacks]

class EstimatedSettlement(_EstimatedSettlement, total=False):
    tx_hash: str
    executed_at: str
    failure_reason: str
    failed_at: str

class _BatchCreate(TypedDict):
    external_batch_id: str
    items: List[BatchItem]

class BatchCreate(_BatchCreate, total=False):
    callback_url: str
    metadata: Dict[str, str]

class _BatchItem(TypedDict):
    source_amount: int
    source_currency: str
    destination_currency: str
    external_merchant_id: str
    chain: str
    wallet_address: str
    external_tx_id: str

class BatchItem(_BatchItem, total=False):
    callback_url: str
    metadata: Dict[str, str]

class _SettlementCreate(TypedDict):
    source_amount: int
    source_currency: str
    destination_currency: str
    external_merchant_id: str
    chain: str
    wallet_address: str

class SettlementCreate(_SettlementCreate, total=False):
    callback_url: str
    metadata: Dict[str, str]

class _SettlementConfirm(TypedDict):
    tx_id: str
    external_tx_id: str

class SettlementConfirm(_SettlementConfirm, total=False):
    callback_url: str
    expected_destination_amount: float

class SettlementCancel(TypedDict):
    tx_id: str

class Callback_attempts(TypedDict):
    number: Union[int, None]
    scheduled_at: str
    sent_at: str
    duration_ms: Union[int, None]
    response_status: Union[int, None]
    error: Union[str, None]
    series: int

class Callback(TypedDict):
    id: str
    event: Literal["settlement.approved", "settlement.executed", "settlement.failed", "withdrawal.completed", "withdrawal.failed", "topup.completed", "topup.failed"]
    state: Literal["pending", "delivered", "undelivered"]
    callback_url: str
    created_at: str
    delivered_at: Union[str, None]
    next_attempt_at: Union[str, None]
    attempts: List[Callback_attempts]
    payload: Dict[str, Any]

class CallbackList(TypedDict):
    data: List[Callback]

class OwnCallback_attempts(TypedDict):
    number: Union[int, None]
    scheduled_at: str
    sent_at: str
    duration_ms: Union[int, None]
    response_status: Union[int, None]
    error: Union[str, None]
    series: int

class OwnCallback(TypedDict):
    id: str
    event: Literal["settlement.approved", "settlement.executed", "settlement.failed", "batch.completed", "withdrawal.completed", "withdrawal.failed", "withdrawal.cancelled", "topup.completed", "topup.failed", "topup.cancelled"]
    state: Literal["pending", "delivered", "undelivered"]
    callback_url: str
    created_at: str
    delivered_at: Union[str, None]
    next_attempt_at: Union[str, None]
    attempts: List[OwnCallback_attempts]
    payload: Dict[str, Any]
    object_id: str

class OwnCallbackList(TypedDict):
    data: List[OwnCallback]
    next_cursor: Union[str, None]

class CallbackAttempt(TypedDict):
    number: Union[int, None]
    scheduled_at: str
    sent_at: str
    duration_ms: Union[int, None]
    response_status: Union[int, None]
    error: Union[str, None]

class Pair(TypedDict):
    source_currency: str
    destination_currency: str
    chain: str
    minimum_source_amount: int
    maximum_source_amount: int
    batch_maximum_source_amount: Union[int, None]
    platform_fee: float
    destination_decimals: int
    quote_lifetime_seconds: int
    quoting: Literal["up", "down"]

class PairList(TypedDict):
    data: List[Pair]

class RatePreview_network_cost_0(TypedDict):
    amount: float
    currency: str
    new_holder: bool

class _RatePreview(TypedDict):
    source_currency: str
    destination_currency: str
    chain: str
    exchange_rate: float
    rate_unit: str
    platform_fee: float
    as_of: str

class RatePreview(_RatePreview, total=False):
    source_amount: int
    destination_amount: float
    network_cost: Union[RatePreview_network_cost_0, None]

class _Problem_errors(TypedDict):
    code: str
    message: str

class Problem_errors(_Problem_errors, total=False):
    pointer: str
    parameter: str

class Problem_received(TypedDict):
    method: str
    path: str
    query: str
    body_length: int
    body_sha256: str
    signing_string_sha256: str

class _Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: ErrorCode
    request_id: str

class Problem(_Problem, total=False):
    trace_id: str
    errors: List[Problem_errors]
    settlement_status: Literal["quoted", "processing", "executed", "failed", "cancelled"]
    batch_status: Literal["quoted", "processing", "completed", "cancelled"]
    batch_id: str
    current_total: Dict[str, float]
    expired_at: str
    oldest_cursor: str
    server_time: str
    skew_seconds: Union[int, None]
    current_destination_amount: float
    received: Problem_received
    required_scope: str

ErrorCode = Literal["malformed_json", "malformed_header", "invalid_utf8", "missing_credentials", "missing_api_key", "signature_required", "unknown_api_key", "revoked_api_key", "stale_timestamp", "invalid_nonce", "signature_mismatch", "nonce_reused", "invalid_credentials", "invalid_token", "one_time_code_required", "ip_not_allowed", "scope_missing", "partner_suspended", "forbidden", "step_up_required", "person_required", "passkey_required", "enrolment_required", "single_sign_on_required", "settlement_not_found", "callback_not_found", "batch_not_found", "event_not_found", "destination_not_found", "route_not_found", "not_found", "method_not_allowed", "approval_pending", "invalid_state", "same_approver", "same_person", "external_tx_id_conflict", "external_batch_id_conflict", "batch_member", "quote_changed", "rate_moved", "idempotency_in_progress", "conflict", "insufficient_liquidity", "insufficient_funds", "quote_expired", "cursor_expired", "body_too_large", "unsupported_media_type", "validation_failed", "unsupported_pair", "unsupported_chain", "invalid_wallet_address", "amount_too_small", "amount_too_large", "callback_url_not_allowed", "idempotency_key_reused", "rate_limited", "internal_error", "rate_unavailable", "liquidity_unavailable", "temporarily_unavailable"]

class Partner(TypedDict):
    id: str
    name: str
    roles: List[PartnerRole]
    slug: str
    wallet_address: str
    charge_fee_percentage: float
    created_at: str
    updated_at: str
    status: Literal["active", "suspended"]

class _PartnerCreate(TypedDict):
    name: str
    slug: str
    roles: List[PartnerRole]

class PartnerCreate(_PartnerCreate, total=False):
    wallet_address: str
    charge_fee_percentage: float

PartnerRole = Literal["AGGREGATOR", "LIQUIDITY_PROVIDER"]

class UpdateChargingFee(TypedDict):
    charge_fee_percentage: float

class Member(TypedDict):
    id: str
    external_user_id: str
    phone: str
    name: Union[str, None]
    email: Union[str, None]
    wallet_address: Union[str, None]
    chain: str
    safe_status: Union[Literal["deploying", "deployed", "failed"], None]
    created_at: str
    updated_at: str

class _MemberCreate(TypedDict):
    external_user_id: str
    phone: str

class MemberCreate(_MemberCreate, total=False):
    name: Union[str, None]
    email: Union[str, None]
    wallet_address: Union[str, None]
    chain: Union[str, None]

class MemberUpdate(TypedDict, total=False):
    phone: str
    name: Union[str, None]
    email: Union[str, None]

class SafeInfo(TypedDict):
    address: str
    fallback_handler: str
    guard: str
    master_copy: str
    modules: List[str]
    nonce: int
    owners: List[str]
    threshold: int
    version: str

EthTx_tx = TypedDict("EthTx_tx", {"from": "str", "to": "Union[str, None]", "data": "str", "value": "float", "gas": "int", "nonce": "int", "chainId": "int"})

class EthTx(TypedDict):
    tx_hash: str
    contract_address: str
    tx: EthTx_tx

class _ApiKeyCreate(TypedDict):
    partner_id: Union[str, None]

class ApiKeyCreate(_ApiKeyCreate, total=False):
    name: str
    scopes: List[Literal["settlements:read", "settlements:write", "partner:read", "partner:write", "settlements:decide", "partners:admin", "treasury", "read"]]
    allowed_ips: List[str]
    signed_management: Union[bool, Literal["all"]]
    expires_at: Union[str, None]

class ApiKeyView_last_uses(TypedDict):
    operation: str
    at: str

class _ApiKeyView(TypedDict):
    id: str
    partner_id: Union[str, None]
    name: str
    api_key_hash: str
    last_four: str
    scopes: List[Literal["settlements:read", "settlements:write", "partner:read", "partner:write", "settlements:decide", "partners:admin", "treasury", "read"]]
    allowed_ips: List[str]
    signed_management: Union[bool, Literal["all"]]
    rotated_from: Union[str, None]
    made_by_key: Union[str, None]
    created_at: str
    expires_at: Union[str, None]
    revoked_at: Union[str, None]
    last_used_at: Union[str, None]
    last_uses: List[ApiKeyView_last_uses]

class ApiKeyView(_ApiKeyView, total=False):
    api_key: str
    api_secret: str
    proposal_id: str

class AuthCreate(TypedDict):
    username: str
    password: str
    name: str
    role: Literal["admin", "approver", "viewer"]

class _AuthView(TypedDict):
    id: str
    username: Union[str, None]
    name: str
    role: Literal["admin", "approver", "viewer"]
    created_at: str

class AuthView(_AuthView, total=False):
    proposal_id: str

class _Body_login_for_access_token_login_post(TypedDict):
    username: str
    password: str

class Body_login_for_access_token_login_post(_Body_login_for_access_token_login_post, total=False):
    otp: str
    grant_type: str
    scope: str
    client_id: str
    client_secret: str

class LoginResponse(TypedDict):
    access_token: str
    token_type: Literal["bearer"]
    expires_in: int

FiatCurrency = str

CryptoCurrency = str

class ExchangeRate(TypedDict):
    source_currency: FiatCurrency
    destination_currency: CryptoCurrency
    rate: float
    source: str
    as_of: str

class WithdrawCreate_destination(TypedDict):
    type: Literal["mobile_money", "bank_account"]
    account: str
    name: str

class _WithdrawCreate(TypedDict):
    external_id: str
    amount: int
    currency: FiatCurrency
    source_currency: CryptoCurrency
    chain: str
    destination: WithdrawCreate_destination

class WithdrawCreate(_WithdrawCreate, total=False):
    callback_url: str
    maximum_source_amount: float
    metadata: Dict[str, str]

class WithdrawPartnerCreate_destination(TypedDict):
    type: Literal["mobile_money", "bank_account"]
    account: str
    name: str

class _WithdrawPartnerCreate(TypedDict):
    external_id: str
    amount: int
    currency: FiatCurrency
    source_currency: CryptoCurrency
    chain: str
    destination: WithdrawPartnerCreate_destination
    external_user_id: str

class WithdrawPartnerCreate(_WithdrawPartnerCreate, total=False):
    callback_url: str
    maximum_source_amount: float
    metadata: Dict[str, str]

class WithdrawRequestResponse_destination(TypedDict):
    type: str
    account: str
    name: str

class _WithdrawRequestResponse(TypedDict):
    id: str
    external_id: str
    external_user_id: Union[str, None]
    amount: int
    currency: str
    source_currency: str
    source_amount: float
    chain: str
    destination: WithdrawRequestResponse_destination
    callback_url: Union[str, None]
    return_tx_hash: Union[str, None]
    waiting_reason: Union[Literal["new_payee", "hold"], None]
    waiting_since: Union[str, None]
    waiting_until: Union[str, None]
    exchange_rate: float
    fee: int
    tx_hash: Union[str, None]
    provider_reference: Union[str, None]
    rate_unit: str
    metadata: Dict[str, str]
    created_at: str
    updated_at: str

class WithdrawRequestResponse(_WithdrawRequestResponse):
    status: Literal["pending", "processing", "completed", "failed"]
    failure_reason: Union[str, None]
    completed_at: Union[str, None]
    cancelled_at: Union[str, None]

class WithdrawalCompleted(_WithdrawRequestResponse):
    status: Literal["completed"]
    failure_reason: Union[str, None]
    completed_at: str
    cancelled_at: Union[str, None]
    event: Literal["withdrawal.completed"]

class WithdrawalFailed(_WithdrawRequestResponse):
    status: Literal["failed"]
    failure_reason: str
    completed_at: Union[str, None]
    cancelled_at: Union[str, None]
    event: Literal["withdrawal.failed"]

class WithdrawalCancelled(_WithdrawRequestResponse):
    status: Literal["failed"]
    failure_reason: str
    completed_at: Union[str, None]
    cancelled_at: str
    event: Literal["withdrawal.cancelled"]

class WithdrawPreview(TypedDict):
    amount: int
    currency: str
    source_currency: str
    source_amount: float
    chain: str
    exchange_rate: float
    fee: int
    rate_unit: str
    as_of: str

class TopupPreview(TypedDict):
    amount: int
    currency: str
    destination_currency: str
    destination_amount: float
    chain: str
    exchange_rate: float
    fee: int
    rate_unit: str
    as_of: str

class WithdrawPartnerResponse_destination(TypedDict):
    type: str
    account: str
    name: str

class WithdrawPartnerResponse(TypedDict):
    id: str
    status: Literal["pending", "processing", "completed", "failed"]
    external_id: str
    external_user_id: str
    amount: int
    currency: str
    source_currency: str
    source_amount: float
    chain: str
    destination: WithdrawPartnerResponse_destination
    callback_url: Union[str, None]
    return_tx_hash: Union[str, None]
    waiting_reason: Union[Literal["new_payee", "hold"], None]
    waiting_since: Union[str, None]
    waiting_until: Union[str, None]
    exchange_rate: float
    fee: int
    tx_hash: Union[str, None]
    provider_reference: Union[str, None]
    failure_reason: Union[str, None]
    rate_unit: str
    metadata: Dict[str, str]
    created_at: str
    updated_at: str
    completed_at: Union[str, None]
    cancelled_at: Union[str, None]

class TopupRequestCreate_source(TypedDict):
    type: Literal["mobile_money", "bank_account"]
    account: str

class _TopupRequestCreate(TypedDict):
    external_id: str
    external_user_id: str
    amount: int
    currency: FiatCurrency
    destination_currency: CryptoCurrency
    chain: str
    source: TopupRequestCreate_source

class TopupRequestCreate(_TopupRequestCreate, total=False):
    callback_url: str
    minimum_destination_amount: float
    metadata: Dict[str, str]

class TopupRequestResponse_source(TypedDict):
    type: str
    account: str

class TopupRequestResponse_payment(TypedDict):
    reference: Union[str, None]
    instructions: Union[str, None]

class _TopupRequestResponse(TypedDict):
    id: str
    external_id: str
    external_user_id: str
    amount: int
    currency: str
    destination_currency: str
    destination_amount: float
    chain: str
    wallet_address: str
    source: TopupRequestResponse_source
    payment: TopupRequestResponse_payment
    callback_url: Union[str, None]
    expires_at: str
    paid_late_at: Union[str, None]
    exchange_rate: float
    fee: int
    tx_hash: Union[str, None]
    provider_reference: Union[str, None]
    rate_unit: str
    metadata: Dict[str, str]
    created_at: str
    updated_at: str

class TopupRequestResponse(_TopupRequestResponse):
    status: Literal["pending", "processing", "completed", "failed"]
    failure_reason: Union[str, None]
    completed_at: Union[str, None]
    cancelled_at: Union[str, None]

class TopupCompleted(_TopupRequestResponse):
    status: Literal["completed"]
    failure_reason: Union[str, None]
    completed_at: str
    cancelled_at: Union[str, None]
    event: Literal["topup.completed"]

class TopupFailed(_TopupRequestResponse):
    status: Literal["failed"]
    failure_reason: str
    completed_at: Union[str, None]
    cancelled_at: Union[str, None]
    event: Literal["topup.failed"]

class TopupCancelled(_TopupRequestResponse):
    status: Literal["failed"]
    failure_reason: str
    completed_at: Union[str, None]
    cancelled_at: str
    event: Literal["topup.cancelled"]

class TransactionListResponse(TypedDict):
    items: List[Transaction]
    total: int
    skip: int
    limit: int
    next_cursor: Union[str, None]

class Transaction(TypedDict):
    type: Literal["settlement", "withdrawal", "topup"]
    id: str
    partner_id: str
    external_id: Union[str, None]
    status: Literal["quoted", "processing", "executed", "failed", "cancelled", "pending", "completed"]
    source_currency: str
    source_amount: float
    destination_currency: str
    destination_amount: float
    exchange_rate: float
    rate_unit: str
    fee: float
    fee_currency: str
    chain: str
    tx_hash: Union[str, None]
    failure_reason: Union[str, None]
    created_at: str
    completed_at: Union[str, None]

Conversion = TypedDict("Conversion", {"from": "str", "to": "str", "amount": "float", "rate": "float", "converted_amount": "float", "as_of": "str"})

class PartnerPayment(TypedDict):
    id: Union[str, None]
    partner_id: str
    amount: int
    currency: str
    received_at: str
    reference: str
    status: Literal["proposed", "booked", "reversed"]
    booked_at: Union[str, None]
    reversed_at: Union[str, None]

class _PartnerPaymentCreate(TypedDict):
    amount: int
    currency: str
    received_at: str
    reference: str

class PartnerPaymentCreate(_PartnerPaymentCreate, total=False):
    note: str

class CallbackSecret(TypedDict):
    callback_secret: str
    previous_expires_at: Union[str, None]

class WithdrawFiatPool(TypedDict):
    currency: str
    total: int
    reserved: int
    available: int
    minimum: int
    maximum: int

class _ProviderCallback(TypedDict):
    order_id: str
    reference: str
    status: Literal["succeeded", "failed"]

class ProviderCallback(_ProviderCallback, total=False):
    reason: Union[str, None]

class HTTPValidationError(TypedDict):
    detail: List[ValidationError]
    code: ErrorCode
    request_id: str

class ValidationError(TypedDict):
    loc: List[Union[str, int]]
    msg: str
    type: str

class _Error(TypedDict):
    detail: str
    code: ErrorCode
    request_id: str

class Error(_Error, total=False):
    current_source_amount: float
    current_destination_amount: float
    order_status: Literal["pending", "processing", "completed", "failed"]
    safe_status: Union[Literal["deploying", "deployed", "failed"], None]

class SettlementApproved(TypedDict):
    tx_id: str
    external_tx_id: Union[str, None]
    event: Literal["settlement.approved"]
    status: Literal["approved"]
    chain: str
    source_amount: int
    destination_amount: float
    platform_fee: float
    expires_at: str

class SettlementExecuted(TypedDict):
    tx_id: str
    external_tx_id: Union[str, None]
    status: Literal["executed"]
    tx_hash: str
    chain: str
    destination_amount: float
    platform_fee: float
    executed_at: str

class SettlementFailed(TypedDict):
    tx_id: str
    external_tx_id: Union[str, None]
    status: Literal["failed"]
    chain: str
    destination_amount: float
    platform_fee: float
    failure_reason: str

class ListSettlementsQuery(TypedDict, total=False):
    status: Literal["quoted", "processing", "executed", "failed", "cancelled"]
    statuses: str
    approval_state: Literal["pending", "approved", "rejected"]
    batch_id: str
    external_tx_id: str
    external_merchant_id: str
    chain: str
    wallet_address: str
    tx_hash: str
    created_from: str
    created_to: str
    updated_from: str
    updated_to: str
    limit: int
    cursor: str

class ListBatchesQuery(TypedDict, total=False):
    status: Literal["quoted", "processing", "completed", "cancelled"]
    external_batch_id: str
    limit: int
    cursor: str

class ListAllCallbacksQuery(TypedDict, total=False):
    object_id: str
    state: Literal["pending", "delivered", "undelivered"]
    event: Literal["settlement.approved", "settlement.executed", "settlement.failed", "batch.completed", "withdrawal.completed", "withdrawal.failed", "withdrawal.cancelled", "topup.completed", "topup.failed", "topup.cancelled"]
    created_from: str
    created_to: str
    limit: int
    cursor: str

class ListEventsQuery(TypedDict, total=False):
    types: str
    cursor: str
    limit: int
    wait: int

class _PreviewRateQuery(TypedDict):
    source_currency: str
    destination_currency: str
    chain: str

class PreviewRateQuery(_PreviewRateQuery, total=False):
    source_amount: int
    wallet_address: str

class GetJwksQuery(TypedDict, total=False):
    partner: str

class ReadPartnersQuery(TypedDict, total=False):
    skip: int
    limit: int
    search: str

class ListApiKeysQuery(TypedDict, total=False):
    skip: int
    limit: int
    search: str

class DeleteApiKeyQuery(TypedDict, total=False):
    dry_run: str

class GetMembersQuery(TypedDict, total=False):
    skip: int
    limit: int
    search: str
    cursor: str

class WithdrawFiatPreviewQuery(TypedDict):
    amount: int
    currency: str
    chain: str
    source_currency: str

class TopupFiatPreviewQuery(TypedDict):
    amount: int
    currency: str
    chain: str
    destination_currency: str

ConvertToCurrencyQuery = TypedDict("ConvertToCurrencyQuery", {"from": "str", "to": "str", "amount": "str"})

class GetAllTransactionsQuery(TypedDict, total=False):
    type: Literal["settlement", "withdrawal", "topup"]
    status: Literal["quoted", "processing", "executed", "failed", "cancelled", "pending", "completed"]
    external_id: str
    partner_id: str
    created_from: str
    created_to: str
    skip: int
    limit: int
    cursor: str

AnyCallback = Union[
    Received[Literal["settlement.approved"], SettlementApproved],
    Received[Literal["settlement.executed"], SettlementExecuted],
    Received[Literal["settlement.failed"], SettlementFailed],
    Received[Literal["batch.completed"], BatchCompleted],
    Received[Literal["withdrawal.completed"], WithdrawalCompleted],
    Received[Literal["withdrawal.failed"], WithdrawalFailed],
    Received[Literal["withdrawal.cancelled"], WithdrawalCancelled],
    Received[Literal["topup.completed"], TopupCompleted],
    Received[Literal["topup.failed"], TopupFailed],
    Received[Literal["topup.cancelled"], TopupCancelled],
]

OperationId = Literal["create_settlement", "list_settlements", "confirm_settlement", "confirm_one_settlement", "cancel_settlement", "cancel_one_settlement", "get_settlement", "create_batch", "list_batches", "estimate_batch", "confirm_batch", "cancel_batch", "requote_batch", "get_batch", "prove_settlement", "list_all_callbacks", "get_callback", "resend_any_callback", "attempt_any_callback", "list_callbacks", "resend_callback", "attempt_callback", "list_events", "get_event", "create_event_destination", "list_event_destinations", "get_event_destination", "change_event_destination", "delete_event_destination", "test_event_destination", "replay_event_destination", "list_pairs", "preview_rate", "echo", "get_time", "get_jwks", "get_proof_status", "report_leaked_key", "current_partner", "list_partner_payments", "list_api_keys", "delete_api_key", "rotate_api_key", "rotate_callback_secret", "get_members", "create_member", "get_member", "update_member", "get_member_safe_info", "withdraw_fiat", "withdraw_fiat_for_registered_member", "get_withdraw_fiat_pool_info", "withdraw_fiat_preview", "topup_fiat_preview", "withdraw_fiat_status", "withdraw_fiat_cancel", "topup_fiat_cancel", "topup_fiat", "topup_fiat_status", "exchange_rates", "convert_to_currency", "get_all_transactions", "login_for_access_token"]

OPERATIONS: Dict[OperationId, Tuple[str, str, str]] = {
    "create_settlement": ("settlement", "POST", "/api/v1/settlements"),
    "list_settlements": ("settlement", "GET", "/api/v1/settlements"),
    "confirm_settlement": ("settlement", "POST", "/api/v1/settlements/confirm"),
    "confirm_one_settlement": ("settlement", "POST", "/api/v1/settlements/{tx_id}/confirm"),
    "cancel_settlement": ("settlement", "POST", "/api/v1/settlements/cancel"),
    "cancel_one_settlement": ("settlement", "POST", "/api/v1/settlements/{tx_id}/cancel"),
    "get_settlement": ("settlement", "GET", "/api/v1/settlements/{tx_id}"),
    "create_batch": ("settlement", "POST", "/api/v1/settlement-batches"),
    "list_batches": ("settlement", "GET", "/api/v1/settlement-batches"),
    "estimate_batch": ("settlement", "POST", "/api/v1/settlement-batches/estimate"),
    "confirm_batch": ("settlement", "POST", "/api/v1/settlement-batches/{batch_id}/confirm"),
    "cancel_batch": ("settlement", "POST", "/api/v1/settlement-batches/{batch_id}/cancel"),
    "requote_batch": ("settlement", "POST", "/api/v1/settlement-batches/{batch_id}/requote"),
    "get_batch": ("settlement", "GET", "/api/v1/settlement-batches/{batch_id}"),
    "prove_settlement": ("settlement", "GET", "/api/v1/settlements/{tx_id}/proof"),
    "list_all_callbacks": ("settlement", "GET", "/api/v1/callbacks"),
    "get_callback": ("settlement", "GET", "/api/v1/callbacks/{callback_id}"),
    "resend_any_callback": ("settlement", "POST", "/api/v1/callbacks/{callback_id}/resend"),
    "attempt_any_callback": ("settlement", "POST", "/api/v1/callbacks/{callback_id}/attempt"),
    "list_callbacks": ("settlement", "GET", "/api/v1/settlements/{tx_id}/callbacks"),
    "resend_callback": ("settlement", "POST", "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/resend"),
    "attempt_callback": ("settlement", "POST", "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/attempt"),
    "list_events": ("settlement", "GET", "/api/v1/events"),
    "get_event": ("settlement", "GET", "/api/v1/events/{event_id}"),
    "create_event_destination": ("settlement", "POST", "/api/v1/event-destinations"),
    "list_event_destinations": ("settlement", "GET", "/api/v1/event-destinations"),
    "get_event_destination": ("settlement", "GET", "/api/v1/event-destinations/{destination_id}"),
    "change_event_destination": ("settlement", "PATCH", "/api/v1/event-destinations/{destination_id}"),
    "delete_event_destination": ("settlement", "DELETE", "/api/v1/event-destinations/{destination_id}"),
    "test_event_destination": ("settlement", "POST", "/api/v1/event-destinations/{destination_id}/test"),
    "replay_event_destination": ("settlement", "POST", "/api/v1/event-destinations/{destination_id}/replay"),
    "list_pairs": ("settlement", "GET", "/api/v1/pairs"),
    "preview_rate": ("settlement", "GET", "/api/v1/rates/preview"),
    "echo": ("settlement", "POST", "/api/v1/echo"),
    "get_time": ("open", "GET", "/time"),
    "get_jwks": ("open", "GET", "/.well-known/jwks.json"),
    "get_proof_status": ("open", "POST", "/proofs/status"),
    "report_leaked_key": ("open", "POST", "/leaked-keys"),
    "current_partner": ("partner", "GET", "/partners/current"),
    "list_partner_payments": ("partner", "GET", "/partners/{partner_id}/payments"),
    "list_api_keys": ("partner", "GET", "/partners/api-keys"),
    "delete_api_key": ("partner", "DELETE", "/partners/api-keys/{id}"),
    "rotate_api_key": ("partner", "POST", "/partners/api-keys/{id}/rotate"),
    "rotate_callback_secret": ("partner", "POST", "/partners/{partner_id}/callback-secret/rotate"),
    "get_members": ("partner", "GET", "/partners/members"),
    "create_member": ("partner", "POST", "/partners/members"),
    "get_member": ("partner", "GET", "/partners/members/{external_user_id}"),
    "update_member": ("partner", "PUT", "/partners/members/{external_user_id}"),
    "get_member_safe_info": ("partner", "GET", "/partners/members/{external_user_id}/safe"),
    "withdraw_fiat": ("partner", "POST", "/partners/transactions/withdraw-fiat"),
    "withdraw_fiat_for_registered_member": ("partner", "POST", "/partners/transactions/withdraw-fiat/member"),
    "get_withdraw_fiat_pool_info": ("partner", "GET", "/partners/transactions/withdraw-fiat/pool"),
    "withdraw_fiat_preview": ("partner", "GET", "/partners/transactions/withdraw-fiat/preview"),
    "topup_fiat_preview": ("partner", "GET", "/partners/transactions/topup-fiat/preview"),
    "withdraw_fiat_status": ("partner", "GET", "/partners/transactions/withdraw-fiat/{id}"),
    "withdraw_fiat_cancel": ("partner", "POST", "/partners/transactions/withdraw-fiat/{id}/cancel"),
    "topup_fiat_cancel": ("partner", "POST", "/partners/transactions/topup-fiat/{id}/cancel"),
    "topup_fiat": ("partner", "POST", "/partners/transactions/topup-fiat"),
    "topup_fiat_status": ("partner", "GET", "/partners/transactions/topup-fiat/{id}"),
    "exchange_rates": ("partner", "GET", "/exchange-rates"),
    "convert_to_currency": ("partner", "GET", "/exchange-rates/convert"),
    "get_all_transactions": ("partner", "GET", "/partners/transactions"),
    "login_for_access_token": ("open", "POST", "/login"),
}

