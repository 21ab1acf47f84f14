<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;

/** What a request says as BatchConfirmation. */
final readonly class BatchConfirmation implements \JsonSerializable
{
    public function __construct(
        /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives batch.completed. Required unless you gave one at creation. */
        public ?string $callback_url = null,
        /**
         * The total that you expect in each destination currency, such as {"USDT": 153.5}. If the batch offers another, the request is refused with quote_changed.
         *
         * @var array<string, Decimal|string|int>|null
         */
        public ?array $expected_total = null,
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
            'callback_url' => $this->callback_url,
            'expected_total' => $this->expected_total === null ? null : (object) array_map(static fn ($each) => Decimal::of($each), $this->expected_total),
        ], static fn ($value) => $value !== null);
    }
}
