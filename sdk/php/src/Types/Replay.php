<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as Replay. */
final readonly class Replay implements \JsonSerializable
{
    public function __construct(
        /** Events from this instant on are sent again, if they are still kept. ISO 8601 with a time zone. */
        public \DateTimeInterface $from,
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
            'from' => $this->from,
        ], static fn ($value) => $value !== null);
    }
}
