<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as CallbackSecret. */
final readonly class CallbackSecret
{
    public function __construct(
        /** The secret that signs callbacks. It begins with whsec_ and is shown only once. */
        public string $callback_secret,
        /** Until when callbacks also carry a signature with the old secret. Another rotation may end this earlier. Null if there is no old secret. */
        public ?\DateTimeImmutable $previous_expires_at,
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
            callback_secret: Read::must($data, 'callback_secret'),
            previous_expires_at: Read::maybe($data, 'previous_expires_at', static fn ($value) => new \DateTimeImmutable($value)),
        );
    }
}
