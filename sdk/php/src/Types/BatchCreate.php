<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as BatchCreate. */
final readonly class BatchCreate implements \JsonSerializable
{
    public function __construct(
        /** Your own id for the batch, unique among your batches. */
        public string $external_batch_id,
        /**
         * 1 to 500 settlements. Each item has the fields of a create.
         *
         * @var list<BatchItem>
         */
        public array $items,
        /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives batch.completed once every item has ended. */
        public ?string $callback_url = null,
        /**
         * Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each.
         *
         * @var array<string, string>|null
         */
        public ?array $metadata = null,
    ) {
    }

    /**
     * What is sent: what is null is left out.
     *
     * @return array<string, mixed>
     */
    public function jsonSerialize(): array
    {
        return array_filter([
            'external_batch_id' => $this->external_batch_id,
            'items' => $this->items,
            'callback_url' => $this->callback_url,
            'metadata' => $this->metadata === null ? null : (object) $this->metadata,
        ], static fn ($value) => $value !== null);
    }
}
