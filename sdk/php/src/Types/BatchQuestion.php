<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as BatchQuestion. */
final readonly class BatchQuestion implements \JsonSerializable
{
    public function __construct(
        /**
         * 1 to 500 settlements. Each item has the fields of a create.
         *
         * @var list<BatchQuestionItem>
         */
        public array $items,
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
            'items' => $this->items,
        ], static fn ($value) => $value !== null);
    }
}
