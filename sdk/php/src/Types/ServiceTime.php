<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as ServiceTime. */
final readonly class ServiceTime
{
    public function __construct(
        /** The server's time, real time. */
        public \DateTimeImmutable $now,
        /** The same as signatures take it: whole Unix epoch seconds. */
        public int $epoch_seconds,
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
            now: new \DateTimeImmutable(Read::must($data, 'now')),
            epoch_seconds: Read::must($data, 'epoch_seconds'),
        );
    }
}
