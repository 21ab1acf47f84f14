<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as Transaction. */
final readonly class Transaction
{
    public function __construct(
        /** The type of transaction. A settlement or top-up turns fiat into crypto, a withdrawal turns crypto into fiat. One of settlement, withdrawal, topup; a later version of the service may have more. */
        public string $type,
        /** The id. It begins with tx_ for a settlement, wd_ for a withdrawal and tu_ for a top-up. */
        public string $id,
        /** The id of the partner that the transaction belongs to. */
        public string $partner_id,
        /** Your own reference: external_tx_id of a settlement, external_id of a withdrawal or top-up. Null for a settlement that is not confirmed. */
        public ?string $external_id,
        /** The status. Each type has its own statuses. One of quoted, processing, executed, failed, cancelled, pending, completed; a later version of the service may have more. */
        public string $status,
        /** The currency that is paid in: an ISO 4217 code for fiat, a symbol for crypto. */
        public string $source_currency,
        /** The amount that is paid in. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $source_amount,
        /** The currency that is paid out: an ISO 4217 code for fiat, a symbol for crypto. */
        public string $destination_currency,
        /** The amount that is paid out. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $destination_amount,
        /** Units of destination_currency for one unit of source_currency, such as 0.0077 for KES to USDT and 129.2 for USDT to KES. For fiat, the unit is the major unit. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $exchange_rate,
        /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit. */
        public string $rate_unit,
        /** The platform fee of a settlement, or the charge fee of a withdrawal or top-up. Fiat is in minor units, crypto in units. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $fee,
        /** The currency of fee. It is crypto for a settlement, and fiat for a withdrawal or top-up. */
        public string $fee_currency,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The hash of the transfer's transaction. Null until the transfer is final on the chain. */
        public ?string $tx_hash,
        /** Why it failed, in one sentence. Null unless it failed. */
        public ?string $failure_reason,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When it was executed or completed. Null until then. */
        public ?\DateTimeImmutable $completed_at,
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
            type: Read::must($data, 'type'),
            id: Read::must($data, 'id'),
            partner_id: Read::must($data, 'partner_id'),
            external_id: $data['external_id'] ?? null,
            status: Read::must($data, 'status'),
            source_currency: Read::must($data, 'source_currency'),
            source_amount: Decimal::of(Read::must($data, 'source_amount')),
            destination_currency: Read::must($data, 'destination_currency'),
            destination_amount: Decimal::of(Read::must($data, 'destination_amount')),
            exchange_rate: Decimal::of(Read::must($data, 'exchange_rate')),
            rate_unit: Read::must($data, 'rate_unit'),
            fee: Decimal::of(Read::must($data, 'fee')),
            fee_currency: Read::must($data, 'fee_currency'),
            chain: Read::must($data, 'chain'),
            tx_hash: $data['tx_hash'] ?? null,
            failure_reason: $data['failure_reason'] ?? null,
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            completed_at: Read::maybe($data, 'completed_at', static fn ($value) => new \DateTimeImmutable($value)),
        );
    }
}
