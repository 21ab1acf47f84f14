<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as SettlementNetworkCost. */
final readonly class SettlementNetworkCost
{
    public function __construct(
        /** About what the network takes for the payment, in units of currency, as it is now. Nothing of it is taken off the amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $amount,
        /** What the network is paid in, such as ETH, SOL, TRX or the token of the fees. */
        public string $currency,
        /** As in GET /api/v1/rates/preview. Null if it is not known: the amount is then that for a new holder. */
        public ?bool $new_holder,
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
            amount: Decimal::of(Read::must($data, 'amount')),
            currency: Read::must($data, 'currency'),
            new_holder: $data['new_holder'] ?? null,
        );
    }
}
