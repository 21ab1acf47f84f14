<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as BatchEstimate. */
final readonly class BatchEstimate
{
    public function __construct(
        /** Always null: an estimate is not stored. */
        public ?string $batch_id,
        /** Always null: an estimate is not stored. */
        public ?string $external_batch_id,
        /** The batch's status. completed means that every item has ended. completed and cancelled are final. One of quoted, processing, completed, cancelled; a later version of the service may have more. */
        public string $status,
        /** The state of the operator's approval, for all items together. While it is pending, the batch cannot be confirmed. Null if no approval is needed. One of pending, approved, rejected; a later version of the service may have more. */
        public ?string $approval_state,
        /** The number of items in the batch. */
        public int $item_count,
        /** The number of items by status. */
        public BatchCounts $counts,
        /**
         * The sums of the items, one entry for each pair of currencies.
         *
         * @var list<BatchTotal>
         */
        public array $totals,
        /** When the first quote among the items expires. Confirm the batch before this instant. */
        public \DateTimeImmutable $expires_at,
        /** The URL that receives batch.completed. Null until you give one. */
        public ?string $callback_url,
        /**
         * Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none.
         *
         * @var array<string, string>
         */
        public array $metadata,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When it was confirmed. Null until then. */
        public ?\DateTimeImmutable $confirmed_at,
        /** When the last item ended. Null until then. */
        public ?\DateTimeImmutable $completed_at,
        /**
         * The price of each item, in the order in which you sent them.
         *
         * @var list<EstimatedSettlement>
         */
        public array $items,
    ) {
    }

    /**
     * Reads it, for example from the data of an event.
     *
     * @param array<string, mixed> $data
     */
    public static function from(array $data): self
    {
        return new self(
            batch_id: $data['batch_id'] ?? null,
            external_batch_id: $data['external_batch_id'] ?? null,
            status: Read::must($data, 'status'),
            approval_state: $data['approval_state'] ?? null,
            item_count: Read::must($data, 'item_count'),
            counts: BatchCounts::from(Read::must($data, 'counts')),
            totals: array_map(static fn ($each) => BatchTotal::from($each), Read::must($data, 'totals')),
            expires_at: new \DateTimeImmutable(Read::must($data, 'expires_at')),
            callback_url: $data['callback_url'] ?? null,
            metadata: Read::must($data, 'metadata'),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            confirmed_at: Read::maybe($data, 'confirmed_at', static fn ($value) => new \DateTimeImmutable($value)),
            completed_at: Read::maybe($data, 'completed_at', static fn ($value) => new \DateTimeImmutable($value)),
            items: array_map(static fn ($each) => EstimatedSettlement::from($each), Read::must($data, 'items')),
        );
    }
}
