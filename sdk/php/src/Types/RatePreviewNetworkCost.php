<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as RatePreviewNetworkCost. */
final readonly class RatePreviewNetworkCost
{
    public function __construct(
        /** About what the network takes for the payment, in units of currency, as it is now. Nothing of it is taken off the amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $amount,
        /** What the network is paid in, such as ETH, SOL, TRX or the token of the fees. */
        public string $currency,
        /** Whether the wallet has none of the token yet. Its account on Solana, or the first transfer to it on Tron, costs more. */
        public bool $new_holder,
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
            new_holder: Read::must($data, 'new_holder'),
        );
    }
}
