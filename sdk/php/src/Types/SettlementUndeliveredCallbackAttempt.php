<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as SettlementUndeliveredCallbackAttempt. */
final readonly class SettlementUndeliveredCallbackAttempt
{
    public function __construct(
        /** The number of the attempt, 1 to 6. Null for an attempt that a person requested in addition to the six. */
        public ?int $number,
        /** When the attempt was due. */
        public \DateTimeImmutable $scheduled_at,
        /** When the attempt began. */
        public \DateTimeImmutable $sent_at,
        /** How long the attempt took, in milliseconds. Null while it is in progress. */
        public ?int $duration_ms,
        /** The HTTP status that your receiver answered. Null if no answer came, or the attempt is in progress. */
        public ?int $response_status,
        /** Why the attempt failed, in one sentence. Null if it succeeded or is in progress. */
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
            number: $data['number'] ?? null,
            scheduled_at: new \DateTimeImmutable(Read::must($data, 'scheduled_at')),
            sent_at: new \DateTimeImmutable(Read::must($data, 'sent_at')),
            duration_ms: $data['duration_ms'] ?? null,
            response_status: $data['response_status'] ?? null,
            error: $data['error'] ?? null,
        );
    }
}
