<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as PublicKeysKey. */
final readonly class PublicKeysKey
{
    public function __construct(
        /** The key type: OKP, an elliptic curve key as in RFC 8037. */
        public string $kty,
        /** The curve: Ed25519. */
        public string $crv,
        /** The public key, in base64url. */
        public string $x,
        /** The key's id. The header of a proof has the id of the key that signed it. */
        public string $kid,
        /** The signature algorithm: EdDSA. */
        public string $alg,
        /** The use of the key: sig, only for signatures. */
        public string $use,
        /** What the key signs. proofs: quotes and receipts. callbacks: one partner's callbacks (`v1a`). One of proofs, callbacks; a later version of the service may have more. */
        public string $purpose,
        /** The same key in the format of Standard Webhooks. Present only if purpose is callbacks. */
        public ?string $whpk = null,
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
            kty: Read::must($data, 'kty'),
            crv: Read::must($data, 'crv'),
            x: Read::must($data, 'x'),
            kid: Read::must($data, 'kid'),
            alg: Read::must($data, 'alg'),
            use: Read::must($data, 'use'),
            purpose: Read::must($data, 'purpose'),
            whpk: $data['whpk'] ?? null,
        );
    }
}
