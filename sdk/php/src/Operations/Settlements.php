<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of settlements. */
final class Settlements
{
    use \SettlementSdk\Following\Settlements;

    public function __construct(private readonly Sender $sender)
    {
    }

    /** Makes a settlement and returns its quote. Use your order's id as the intent: a repeat, for example after a crash, is then the same call to the service. Another body with the same intent is refused. */
    public function create(Types\SettlementCreate $body, string $intent): Types\Settlement
    {
        return Types\Settlement::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlements', body: $body, intent: $intent)));
    }

    /**
     * Reads all settlements that match, newest first, page by page. limit is the page size.
     *
     * @param ?string $status Return only settlements with this status
     * @param ?string $statuses Return only settlements with one of these statuses, separated by commas, such as executed,failed
     * @param ?string $approval_state Return only settlements with this approval state
     * @param ?string $batch_id Return only the items of this batch
     * @param ?string $external_tx_id Return only the settlement with this reference
     * @param ?string $external_merchant_id Return only settlements of this merchant
     * @param ?string $chain Return only settlements on this blockchain network, given as a CAIP-2 id
     * @param ?string $wallet_address Return only settlements to this wallet. Upper and lower case are the same
     * @param ?string $tx_hash Return only settlements that this transaction paid
     * @param ?\DateTimeInterface $created_from Return only objects created at this instant or later. ISO 8601 with a time zone
     * @param ?\DateTimeInterface $created_to Return only objects created before this instant. ISO 8601 with a time zone
     * @param ?\DateTimeInterface $updated_from Return only settlements whose updated_at is at this instant or later
     * @param ?\DateTimeInterface $updated_to Return only settlements whose updated_at is before this instant
     * @param ?int $limit The most items to return, 1 to 100. The default is 25
     * @return \Generator<int, Types\Settlement>
     */
    public function list(?string $status = null, ?string $statuses = null, ?string $approval_state = null, ?string $batch_id = null, ?string $external_tx_id = null, ?string $external_merchant_id = null, ?string $chain = null, ?string $wallet_address = null, ?string $tx_hash = null, ?\DateTimeInterface $created_from = null, ?\DateTimeInterface $created_to = null, ?\DateTimeInterface $updated_from = null, ?\DateTimeInterface $updated_to = null, ?int $limit = null): \Generator
    {
        return $this->sender->walk(new Call('settlement', 'GET', '/api/v1/settlements', query: ['status' => $status, 'statuses' => $statuses, 'approval_state' => $approval_state, 'batch_id' => $batch_id, 'external_tx_id' => $external_tx_id, 'external_merchant_id' => $external_merchant_id, 'chain' => $chain, 'wallet_address' => $wallet_address, 'tx_hash' => $tx_hash, 'created_from' => $created_from, 'created_to' => $created_to, 'updated_from' => $updated_from, 'updated_to' => $updated_to, 'limit' => $limit]), 'data', Types\Settlement::from(...));
    }

    /** Confirms the quote, which starts the payment. A repeat with the same external_tx_id has no effect. The service refuses it with quote_changed if the quote's amount is not expected_destination_amount. */
    public function confirm(string $tx_id, Types\SettlementConfirmation $body): Types\Settlement
    {
        return Types\Settlement::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlements/{tx_id}/confirm', params: [$tx_id], body: $body)));
    }

    /** Cancels a settlement that is not confirmed. */
    public function cancel(string $tx_id): Types\Settlement
    {
        return Types\Settlement::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlements/{tx_id}/cancel', params: [$tx_id], body: new \stdClass())));
    }

    /** Returns a settlement with its undelivered callbacks. */
    public function get(string $tx_id): Types\Settlement
    {
        return Types\Settlement::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/settlements/{tx_id}', params: [$tx_id])));
    }

    /** Returns the signed quote and, once executed, the signed receipt, for third parties to verify. */
    public function proof(string $tx_id): Types\SettlementProof
    {
        return Types\SettlementProof::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/settlements/{tx_id}/proof', params: [$tx_id])));
    }

    /**
     * Returns a settlement's callbacks with every attempt.
     *
     * @return list<Types\Callback>
     */
    public function callbacks(string $tx_id): array
    {
        return array_map(static fn ($each) => Types\Callback::from($each), Read::must($this->sender->members(new Call('settlement', 'GET', '/api/v1/settlements/{tx_id}/callbacks', params: [$tx_id])), 'data'));
    }

    /** Sends a callback again: six new attempts, with the same id and body. */
    public function resendCallback(string $tx_id, string $callback_id): Types\Callback
    {
        return Types\Callback::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlements/{tx_id}/callbacks/{callback_id}/resend', params: [$tx_id, $callback_id])));
    }

    /** Makes one attempt now, whatever the callback's state, with the same id and body. */
    public function attemptCallback(string $tx_id, string $callback_id): Types\Callback
    {
        return Types\Callback::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlements/{tx_id}/callbacks/{callback_id}/attempt', params: [$tx_id, $callback_id])));
    }
}
