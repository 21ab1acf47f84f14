<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as WithdrawFiatPool. */
final readonly class WithdrawFiatPool
{
    public function __construct(
        /** The fiat currency of the pool, as an ISO 4217 code. All amounts of the pool are in its minor units. */
        public string $currency,
        /** The amount that the pool holds, in minor units. */
        public int $total,
        /** The part of total that is reserved for withdrawals in progress, in minor units. */
        public int $reserved,
        /** The amount available for new withdrawals, in minor units: total minus reserved. */
        public int $available,
        /** The smallest amount of one withdrawal, in minor units. */
        public int $minimum,
        /** The largest amount of one withdrawal, in minor units. It may exceed what the pool holds: a withdrawal must also fit into available. */
        public int $maximum,
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
            currency: Read::must($data, 'currency'),
            total: Read::must($data, 'total'),
            reserved: Read::must($data, 'reserved'),
            available: Read::must($data, 'available'),
            minimum: Read::must($data, 'minimum'),
            maximum: Read::must($data, 'maximum'),
        );
    }
}
