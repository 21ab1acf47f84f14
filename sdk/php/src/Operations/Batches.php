<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of batches. */
final class Batches
{
    use \SettlementSdk\Following\Batches;

    public function __construct(private readonly Sender $sender)
    {
    }

    /** Makes up to 500 settlements, all or none. A repeat with the same external_batch_id and body, for example after a crash, is the same batch. */
    public function create(Types\BatchCreate $body): Types\BatchWithItems
    {
        return Types\BatchWithItems::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlement-batches', body: $body)));
    }

    /** Returns what the items would cost. Nothing is stored. */
    public function estimate(Types\BatchQuestion $body): Types\BatchEstimate
    {
        return Types\BatchEstimate::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlement-batches/estimate', body: $body)));
    }

    /**
     * Reads all batches that match, newest first, page by page.
     *
     * @param ?string $status Return only batches with this status
     * @param ?string $external_batch_id Return only the batch with this external_batch_id
     * @param ?int $limit The most items to return, 1 to 100. The default is 25
     * @return \Generator<int, Types\Batch>
     */
    public function list(?string $status = null, ?string $external_batch_id = null, ?int $limit = null): \Generator
    {
        return $this->sender->walk(new Call('settlement', 'GET', '/api/v1/settlement-batches', query: ['status' => $status, 'external_batch_id' => $external_batch_id, 'limit' => $limit]), 'data', Types\Batch::from(...));
    }

    /** Starts all payments, or none. The service refuses it with quote_changed if the sums are not those of expected_total. */
    public function confirm(string $batch_id, Types\BatchConfirmation $body): Types\Batch
    {
        return Types\Batch::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlement-batches/{batch_id}/confirm', params: [$batch_id], body: $body)));
    }

    /** Cancels a batch and all of its items. */
    public function cancel(string $batch_id): Types\Batch
    {
        return Types\Batch::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlement-batches/{batch_id}/cancel', params: [$batch_id], body: new \stdClass())));
    }

    /** Renews the quotes of the items whose quote has expired. */
    public function requote(string $batch_id): Types\Batch
    {
        return Types\Batch::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/settlement-batches/{batch_id}/requote', params: [$batch_id], body: new \stdClass())));
    }

    /** Returns a batch without its items: list settlements by batch_id to read them. */
    public function get(string $batch_id): Types\Batch
    {
        return Types\Batch::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/settlement-batches/{batch_id}', params: [$batch_id])));
    }
}
