<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as ApiKeyViewLastUse. */
final readonly class ApiKeyViewLastUse
{
    public function __construct(
        /** The operation's id in the OpenAPI document. */
        public string $operation,
        /** When it was last called. */
        public \DateTimeImmutable $at,
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
            operation: Read::must($data, 'operation'),
            at: new \DateTimeImmutable(Read::must($data, 'at')),
        );
    }
}
