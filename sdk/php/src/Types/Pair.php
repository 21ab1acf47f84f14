<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as Pair. */
final readonly class Pair
{
    public function __construct(
        /** The fiat currency that you collect, as an ISO 4217 code such as KES. */
        public string $source_currency,
        /** The symbol of the token that the wallet receives, such as USDT. */
        public string $destination_currency,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The smallest amount, in minor units of source_currency. A smaller amount is refused with amount_too_small. */
        public int $minimum_source_amount,
        /** The largest amount that needs no approval, in minor units of source_currency. A larger settlement waits for an operator's approval. */
        public int $maximum_source_amount,
        /** The largest sum of a batch that needs no approval, in minor units of source_currency. A larger batch waits for an operator's approval. Null if the sum has no limit. */
        public ?int $batch_maximum_source_amount,
        /** The fixed fee of each settlement, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $platform_fee,
        /** The most decimals that an amount in destination_currency has. Further decimals are cut off. */
        public int $destination_decimals,
        /** The lifetime of a quote, from creation to expires_at, in seconds. */
        public int $quote_lifetime_seconds,
        /** Whether you can get quotes right now. down: creating a settlement is refused with 503, because a rate, funds or the chain are missing. One of up, down; a later version of the service may have more. */
        public string $quoting,
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
            source_currency: Read::must($data, 'source_currency'),
            destination_currency: Read::must($data, 'destination_currency'),
            chain: Read::must($data, 'chain'),
            minimum_source_amount: Read::must($data, 'minimum_source_amount'),
            maximum_source_amount: Read::must($data, 'maximum_source_amount'),
            batch_maximum_source_amount: $data['batch_maximum_source_amount'] ?? null,
            platform_fee: Decimal::of(Read::must($data, 'platform_fee')),
            destination_decimals: Read::must($data, 'destination_decimals'),
            quote_lifetime_seconds: Read::must($data, 'quote_lifetime_seconds'),
            quoting: Read::must($data, 'quoting'),
        );
    }
}
