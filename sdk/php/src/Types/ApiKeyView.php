<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as ApiKeyView. */
final readonly class ApiKeyView
{
    public function __construct(
        /** The key's id, which you use in paths. It is not the api_key itself. */
        public string $id,
        /** The id of the partner that the key acts for. Null for an operator's key. */
        public ?string $partner_id,
        /** The name of the key, for people. */
        public string $name,
        /** The SHA-256 hash of the api_key, in hex. */
        public string $api_key_hash,
        /** The last four characters of the api_key. */
        public string $last_four,
        /**
         * What the key may do.
         *
         * @var list<string>
         */
        public array $scopes,
        /**
         * IP addresses and CIDR ranges that the key may be used from. An empty list means any address.
         *
         * @var list<string>
         */
        public array $allowed_ips,
        /** Which requests on this surface must be signed. true: requests that change something. all: every request. false: none. */
        public bool|string $signed_management,
        /** The id of the key that this key replaced by rotation. Null if it replaced none. */
        public ?string $rotated_from,
        /** The id of the key that created or rotated this key. If that key is revoked, this one is too. Null if a person created it. */
        public ?string $made_by_key,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When the key expires. Null if it never does. */
        public ?\DateTimeImmutable $expires_at,
        /** When the key was revoked. After a rotation with an overlap it is in the future, and the key works until then. Null if it was not revoked. */
        public ?\DateTimeImmutable $revoked_at,
        /** When the key was last used, to the minute. Null if it never was. */
        public ?\DateTimeImmutable $last_used_at,
        /**
         * When each operation was last called with the key, to the hour, newest first. Calls before version 1.2.0 are not included.
         *
         * @var list<ApiKeyViewLastUse>
         */
        public array $last_uses,
        /** The key that requests carry. Present only in the answer to creation or rotation. */
        public ?string $api_key = null,
        /** The secret that signs requests. Present only in the answer to creation or rotation. */
        public ?string $api_secret = null,
        /** Present if a second person must confirm the key before it works: the id of that proposal. */
        public ?string $proposal_id = null,
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
            partner_id: $data['partner_id'] ?? null,
            name: Read::must($data, 'name'),
            api_key_hash: Read::must($data, 'api_key_hash'),
            last_four: Read::must($data, 'last_four'),
            scopes: Read::must($data, 'scopes'),
            allowed_ips: Read::must($data, 'allowed_ips'),
            signed_management: Read::must($data, 'signed_management'),
            rotated_from: $data['rotated_from'] ?? null,
            made_by_key: $data['made_by_key'] ?? null,
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            expires_at: Read::maybe($data, 'expires_at', static fn ($value) => new \DateTimeImmutable($value)),
            revoked_at: Read::maybe($data, 'revoked_at', static fn ($value) => new \DateTimeImmutable($value)),
            last_used_at: Read::maybe($data, 'last_used_at', static fn ($value) => new \DateTimeImmutable($value)),
            last_uses: array_map(static fn ($each) => ApiKeyViewLastUse::from($each), Read::must($data, 'last_uses')),
            api_key: $data['api_key'] ?? null,
            api_secret: $data['api_secret'] ?? null,
            proposal_id: $data['proposal_id'] ?? null,
        );
    }
}
