<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** The number of items by status. */
final readonly class BatchCounts
{
    public function __construct(
        /** The number of items with status quoted. */
        public int $quoted,
        /** The number of items with status processing. */
        public int $processing,
        /** The number of items with status executed. */
        public int $executed,
        /** The number of items with status failed. */
        public int $failed,
        /** The number of items with status cancelled. */
        public int $cancelled,
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
            quoted: Read::must($data, 'quoted'),
            processing: Read::must($data, 'processing'),
            executed: Read::must($data, 'executed'),
            failed: Read::must($data, 'failed'),
            cancelled: Read::must($data, 'cancelled'),
        );
    }
}
