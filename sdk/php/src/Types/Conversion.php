<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as Conversion. */
final readonly class Conversion
{
    public function __construct(
        /** The currency that was converted from, as you asked. */
        public string $from,
        /** The currency that was converted to, as you asked. */
        public string $to,
        /** The amount of from, as you asked. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $amount,
        /** The mid rate: units of to for one unit of from. For fiat, the unit is the major unit. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $rate,
        /** The converted amount, rounded down. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $converted_amount,
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
            from: Read::must($data, 'from'),
            to: Read::must($data, 'to'),
            amount: Decimal::of(Read::must($data, 'amount')),
            rate: Decimal::of(Read::must($data, 'rate')),
            converted_amount: Decimal::of(Read::must($data, 'converted_amount')),
            as_of: new \DateTimeImmutable(Read::must($data, 'as_of')),
        );
    }
}
