<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;

/** What a request says as SettlementConfirmation. */
final readonly class SettlementConfirmation implements \JsonSerializable
{
    public function __construct(
        /** Your own reference, unique among your settlements. */
        public string $external_tx_id,
        /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the final callback. Required unless you gave one at creation. */
        public ?string $callback_url = null,
        /** The destination_amount that you expect, in units of destination_currency. If the quote offers another amount, the request is refused with quote_changed. */
        public Decimal|string|int|null $expected_destination_amount = null,
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
            'external_tx_id' => $this->external_tx_id,
            'callback_url' => $this->callback_url,
            'expected_destination_amount' => $this->expected_destination_amount === null ? null : Decimal::of($this->expected_destination_amount),
        ], static fn ($value) => $value !== null);
    }
}
