<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as Partner. */
final readonly class Partner
{
    public function __construct(
        /** The partner's id. */
        public string $id,
        /** The partner's name, for people. */
        public string $name,
        /**
         * What the partner does. AGGREGATOR: it brings in merchants. LIQUIDITY_PROVIDER: it provides funds.
         *
         * @var list<string>
         */
        public array $roles,
        /** A short name for paths and people, unique among partners. */
        public string $slug,
        /** The address of the partner's own Safe. Empty if it has none. */
        public string $wallet_address,
        /** The partner's fee on top-ups and withdrawals, in percent, 0 to 100. Settlements have another fee. */
        public Decimal $charge_fee_percentage,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When the object last changed. */
        public \DateTimeImmutable $updated_at,
        /** Whether the partner may use the service. suspended: every request of its keys is refused with partner_suspended. One of active, suspended; a later version of the service may have more. */
        public string $status,
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
            id: Read::must($data, 'id'),
            name: Read::must($data, 'name'),
            roles: Read::must($data, 'roles'),
            slug: Read::must($data, 'slug'),
            wallet_address: Read::must($data, 'wallet_address'),
            charge_fee_percentage: Decimal::of(Read::must($data, 'charge_fee_percentage')),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            updated_at: new \DateTimeImmutable(Read::must($data, 'updated_at')),
            status: Read::must($data, 'status'),
        );
    }
}
