<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as EventDestination. */
final readonly class EventDestination
{
    public function __construct(
        /** The destination's id. It begins with de_. */
        public string $id,
        /** How events are sent: webhook, amqp or nats. One of webhook, amqp, nats; a later version of the service may have more. */
        public string $type,
        /** The address that events are sent to, without credentials. */
        public string $url,
        /**
         * The types of event to send. A pattern such as settlement.* means all types of one object.
         *
         * @var list<string>
         */
        public array $types,
        /** The description for your own people. Empty if none was given. */
        public string $description,
        /** active: events are sent. paused: events wait. One of active, paused; a later version of the service may have more. */
        public string $status,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When an event was last delivered. Null if none has been. */
        public ?\DateTimeImmutable $last_delivered_at,
        /** When the current series of failures began. After a day of failures the destination is paused. Null if the last attempt succeeded. */
        public ?\DateTimeImmutable $failing_since,
        /** Why the last attempt failed. Null if it did not fail. */
        public ?string $last_error,
        /** When the next attempt is due after a failure. Null if the next event is sent at once. */
        public ?\DateTimeImmutable $next_attempt_at,
        /** When the destination was paused. Null if it is active. */
        public ?\DateTimeImmutable $paused_at,
        /** The last test event. Null if there was none. */
        public ?EventDestinationLastTest $last_test,
        /** The secret that signs the requests. It begins with whsec_. Present only in the answer to the creation. */
        public ?string $secret = null,
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
            id: Read::must($data, 'id'),
            type: Read::must($data, 'type'),
            url: Read::must($data, 'url'),
            types: Read::must($data, 'types'),
            description: Read::must($data, 'description'),
            status: Read::must($data, 'status'),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            last_delivered_at: Read::maybe($data, 'last_delivered_at', static fn ($value) => new \DateTimeImmutable($value)),
            failing_since: Read::maybe($data, 'failing_since', static fn ($value) => new \DateTimeImmutable($value)),
            last_error: $data['last_error'] ?? null,
            next_attempt_at: Read::maybe($data, 'next_attempt_at', static fn ($value) => new \DateTimeImmutable($value)),
            paused_at: Read::maybe($data, 'paused_at', static fn ($value) => new \DateTimeImmutable($value)),
            last_test: Read::maybe($data, 'last_test', static fn ($value) => EventDestinationLastTest::from($value)),
            secret: $data['secret'] ?? null,
        );
    }
}
