<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** The body of settlement.approved. A settlement that needed approval was approved, at a new price, and can be confirmed. The callback goes to the URL given at creation, if any. */
final readonly class SettlementApproved
{
    public function __construct(
        /** The settlement's id. It begins with tx_. */
        public string $tx_id,
        /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start. */
        public ?string $external_tx_id,
        /** The event that the callback reports. */
        public string $event,
        /** The decision. The settlement's own status is still quoted until you confirm it. */
        public string $status,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES. */
        public int $source_amount,
        /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $destination_amount,
        /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $platform_fee,
        /** When the new quote expires. Confirm before this instant to get these amounts. */
        public \DateTimeImmutable $expires_at,
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
            tx_id: Read::must($data, 'tx_id'),
            external_tx_id: $data['external_tx_id'] ?? null,
            event: Read::must($data, 'event'),
            status: Read::must($data, 'status'),
            chain: Read::must($data, 'chain'),
            source_amount: Read::must($data, 'source_amount'),
            destination_amount: Decimal::of(Read::must($data, 'destination_amount')),
            platform_fee: Decimal::of(Read::must($data, 'platform_fee')),
            expires_at: new \DateTimeImmutable(Read::must($data, 'expires_at')),
        );
    }
}
