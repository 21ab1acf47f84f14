<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as ExchangeRate. */
final readonly class ExchangeRate
{
    public function __construct(
        /** The fiat currency as an ISO 4217 code, such as KES. */
        public string $source_currency,
        /** The symbol of the token or coin, such as USDT. */
        public string $destination_currency,
        /** The mid rate, before any spread: units of destination_currency for one major unit of source_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $rate,
        /** The source of the rate. */
        public string $source,
        /** When the rate was observed. For a fixed rate, when it was set. */
        public \DateTimeImmutable $as_of,
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
            rate: Decimal::of(Read::must($data, 'rate')),
            source: Read::must($data, 'source'),
            as_of: new \DateTimeImmutable(Read::must($data, 'as_of')),
        );
    }
}
