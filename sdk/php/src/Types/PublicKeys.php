<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as PublicKeys. */
final readonly class PublicKeys
{
    public function __construct(
        /**
         * The keys in use, and older keys that are kept so that you can verify old signatures.
         *
         * @var list<PublicKeysKey>
         */
        public array $keys,
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
            keys: array_map(static fn ($each) => PublicKeysKey::from($each), Read::must($data, 'keys')),
        );
    }
}
