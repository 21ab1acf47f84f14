<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as Member. */
final readonly class Member
{
    public function __construct(
        /** The member's id. A path accepts it in place of external_user_id. */
        public string $id,
        /** Your own id for the member, unique among your members. */
        public string $external_user_id,
        /** The phone number in E.164 form, such as +254712345678, unique among your members. */
        public string $phone,
        /** The member's name. Null if none is known. */
        public ?string $name,
        /** The member's e-mail address. Null if none is known. */
        public ?string $email,
        /** The wallet that the member brought, or the member's Safe. Null until the Safe is deployed, and if its deployment failed. */
        public ?string $wallet_address,
        /** The blockchain network of the wallet as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The state of the member's Safe. Null for a member that brought its own wallet. One of deploying, deployed, failed; a later version of the service may have more. */
        public ?string $safe_status,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When the object last changed. */
        public \DateTimeImmutable $updated_at,
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
            external_user_id: Read::must($data, 'external_user_id'),
            phone: Read::must($data, 'phone'),
            name: $data['name'] ?? null,
            email: $data['email'] ?? null,
            wallet_address: $data['wallet_address'] ?? null,
            chain: Read::must($data, 'chain'),
            safe_status: $data['safe_status'] ?? null,
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            updated_at: new \DateTimeImmutable(Read::must($data, 'updated_at')),
        );
    }
}
