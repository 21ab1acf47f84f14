<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as EventPage. */
final readonly class EventPage
{
    public function __construct(
        /**
         * A page of events, oldest first.
         *
         * @var list<Event>
         */
        public array $data,
        /** The cursor for your next request. It is present even if there are no events right now. */
        public string $next_cursor,
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
            data: array_map(static fn ($each) => Event::from($each), Read::must($data, 'data')),
            next_cursor: Read::must($data, 'next_cursor'),
        );
    }
}
