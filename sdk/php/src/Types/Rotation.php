<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as Rotation. */
final readonly class Rotation implements \JsonSerializable
{
    public function __construct(
        /** How long the old one stays valid next to the new one, in seconds of real time. 0 ends it at once. */
        public int $overlap_seconds,
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
            'overlap_seconds' => $this->overlap_seconds,
        ], static fn ($value) => $value !== null);
    }
}
