<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as SettlementProof. */
final readonly class SettlementProof
{
    public function __construct(
        /** The settlement's id. It begins with tx_. */
        public string $tx_id,
        /** The signed quote: the price that was promised, and until when. A JWS in compact form. */
        public string $quote,
        /** The signed receipt: what was paid, in which transaction, block and log. A JWS in compact form. Null until the settlement is executed. */
        public ?string $receipt,
        /** The URL of the public keys that verify the proofs. */
        public string $jwks_url,
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
            quote: Read::must($data, 'quote'),
            receipt: $data['receipt'] ?? null,
            jwks_url: Read::must($data, 'jwks_url'),
        );
    }
}
