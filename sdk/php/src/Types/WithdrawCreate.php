<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;

/** What a request says as WithdrawCreate. */
final readonly class WithdrawCreate implements \JsonSerializable
{
    public function __construct(
        /** Your own reference, unique among your withdrawals. */
        public string $external_id,
        /** The fiat to pay out, in minor units of currency. The fee is not included. */
        public int $amount,
        /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES. */
        public string $currency,
        /** The symbol of the token that is taken from the Safe, such as USDT. */
        public string $source_currency,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The account that the fiat is paid to. */
        public WithdrawCreateDestination $destination,
        /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives a callback when the order has ended. Without it, no callback is sent. */
        public ?string $callback_url = null,
        /** The most crypto to take, in units of source_currency. If the price comes to more, the request is refused with quote_changed. */
        public Decimal|string|int|null $maximum_source_amount = null,
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
            'external_id' => $this->external_id,
            'amount' => $this->amount,
            'currency' => $this->currency,
            'source_currency' => $this->source_currency,
            'chain' => $this->chain,
            'destination' => $this->destination,
            'callback_url' => $this->callback_url,
            'maximum_source_amount' => $this->maximum_source_amount === null ? null : Decimal::of($this->maximum_source_amount),
            'metadata' => $this->metadata === null ? null : (object) $this->metadata,
        ], static fn ($value) => $value !== null);
    }
}
