<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What the payer needs for the payment. */
final readonly class TopupRequestResponsePayment
{
    public function __construct(
        /** The reference that the payer must give with the payment. Null if none is needed. */
        public ?string $reference,
        /** What the payer has to do now, in words. Null if nothing. */
        public ?string $instructions,
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
            reference: $data['reference'] ?? null,
            instructions: $data['instructions'] ?? null,
        );
    }
}
