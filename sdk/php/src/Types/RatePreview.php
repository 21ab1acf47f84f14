<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as RatePreview. */
final readonly class RatePreview
{
    public function __construct(
        /** The fiat currency that you collect, as an ISO 4217 code such as KES. */
        public string $source_currency,
        /** The symbol of the token that the wallet receives, such as USDT. */
        public string $destination_currency,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** Units of destination_currency for one major unit of source_currency. Your spread is included. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $exchange_rate,
        /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit. */
        public string $rate_unit,
        /** The fixed fee of each settlement, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $platform_fee,
        /** When the underlying mid rate was observed. */
        public \DateTimeImmutable $as_of,
        /** The amount that you asked about, in minor units of source_currency. Absent if you gave none. */
        public ?int $source_amount = null,
        /** The net amount for source_amount after platform_fee, in units of destination_currency. Present only if source_amount is. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public ?Decimal $destination_amount = null,
        /** What the payment to wallet_address would cost us. Null if the network does not say so just now. Present only if wallet_address is. */
        public ?RatePreviewNetworkCost $network_cost = null,
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
            exchange_rate: Decimal::of(Read::must($data, 'exchange_rate')),
            rate_unit: Read::must($data, 'rate_unit'),
            platform_fee: Decimal::of(Read::must($data, 'platform_fee')),
            as_of: new \DateTimeImmutable(Read::must($data, 'as_of')),
            source_amount: $data['source_amount'] ?? null,
            destination_amount: Read::maybe($data, 'destination_amount', static fn ($value) => Decimal::of($value)),
            network_cost: Read::maybe($data, 'network_cost', static fn ($value) => RatePreviewNetworkCost::from($value)),
        );
    }
}
