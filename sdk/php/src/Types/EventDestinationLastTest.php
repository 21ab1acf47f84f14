<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as EventDestinationLastTest. */
final readonly class EventDestinationLastTest
{
    public function __construct(
        /** When the test was requested. */
        public \DateTimeImmutable $asked_at,
        /** When the test ended. Null while it is in progress. */
        public ?\DateTimeImmutable $ended_at,
        /** Whether the test event was delivered. Null while the test is in progress. */
        public ?bool $delivered,
        /** Why the test event was not delivered. Null if it was, or while the test is in progress. */
        public ?string $error,
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
            asked_at: new \DateTimeImmutable(Read::must($data, 'asked_at')),
            ended_at: Read::maybe($data, 'ended_at', static fn ($value) => new \DateTimeImmutable($value)),
            delivered: $data['delivered'] ?? null,
            error: $data['error'] ?? null,
        );
    }
}
