<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as EventDestinationChange. */
final readonly class EventDestinationChange implements \JsonSerializable
{
    public function __construct(
        /**
         * The types of event to send. A pattern such as settlement.* means all types of one object.
         *
         * @var list<string>|null
         */
        public ?array $types = null,
        /** A description for your own people. */
        public ?string $description = null,
        /** paused: events wait. active: events are sent, including those that waited. One of active, paused; a later version of the service may have more. */
        public ?string $status = null,
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
            'types' => $this->types,
            'description' => $this->description,
            'status' => $this->status,
        ], static fn ($value) => $value !== null);
    }
}
