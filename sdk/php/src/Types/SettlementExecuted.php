<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** The body of settlement.executed. A settlement was paid. The payment is final on the chain. */
final readonly class SettlementExecuted
{
    public function __construct(
        /** The settlement's id. It begins with tx_. */
        public string $tx_id,
        /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start. */
        public ?string $external_tx_id,
        /** The settlement's status, which is final. */
        public string $status,
        /** The hash of the transaction that paid. It is final on the chain. */
        public string $tx_hash,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $destination_amount,
        /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $platform_fee,
        /** When the payment became final on the chain. */
        public \DateTimeImmutable $executed_at,
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
            status: Read::must($data, 'status'),
            tx_hash: Read::must($data, 'tx_hash'),
            chain: Read::must($data, 'chain'),
            destination_amount: Decimal::of(Read::must($data, 'destination_amount')),
            platform_fee: Decimal::of(Read::must($data, 'platform_fee')),
            executed_at: new \DateTimeImmutable(Read::must($data, 'executed_at')),
        );
    }
}
