<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as BatchTotal. */
final readonly class BatchTotal
{
    public function __construct(
        /** The fiat currency that you collect, as an ISO 4217 code such as KES. */
        public string $source_currency,
        /** The sum of the pair's items, in minor units of source_currency. */
        public int $source_amount,
        /** The symbol of the token that the wallets receive, such as USDT. */
        public string $destination_currency,
        /** The sum that the wallets receive, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $destination_amount,
        /** The sum of the fees, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $platform_fee,
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
            source_amount: Read::must($data, 'source_amount'),
            destination_currency: Read::must($data, 'destination_currency'),
            destination_amount: Decimal::of(Read::must($data, 'destination_amount')),
            platform_fee: Decimal::of(Read::must($data, 'platform_fee')),
        );
    }
}
