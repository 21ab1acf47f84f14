<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as ProofQuestion. */
final readonly class ProofQuestion implements \JsonSerializable
{
    public function __construct(
        /** The quote or receipt that you were shown: a JWS in compact form. */
        public string $proof,
    ) {
    }

    /**
     * What is sent: what is null is left out.
     *
     * @return array<string, mixed>
     */
    public function jsonSerialize(): array
    {
        return array_filter([
            'proof' => $this->proof,
        ], static fn ($value) => $value !== null);
    }
}
