<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as Callback. */
final readonly class Callback
{
    public function __construct(
        /** The callback's id. It begins with cb_. Every attempt sends it in the header webhook-id. */
        public string $id,
        /** The event that the callback reports. One of settlement.approved, settlement.executed, settlement.failed, withdrawal.completed, withdrawal.failed, topup.completed, topup.failed; a later version of the service may have more. */
        public string $event,
        /** pending: attempts are still due. delivered: your receiver answered 2xx. undelivered: six attempts failed. One of pending, delivered, undelivered; a later version of the service may have more. */
        public string $state,
        /** The URL that the callback is sent to. */
        public string $callback_url,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When the callback was delivered. Null until then. */
        public ?\DateTimeImmutable $delivered_at,
        /** When the next attempt is due. Null if none is due. */
        public ?\DateTimeImmutable $next_attempt_at,
        /**
         * Every attempt so far.
         *
         * @var list<CallbackAttempt>
         */
        public array $attempts,
        /**
         * The body of the callback. Every attempt sends the same bytes.
         *
         * @var array<string, mixed>
         */
        public array $payload,
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
            event: Read::must($data, 'event'),
            state: Read::must($data, 'state'),
            callback_url: Read::must($data, 'callback_url'),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            delivered_at: Read::maybe($data, 'delivered_at', static fn ($value) => new \DateTimeImmutable($value)),
            next_attempt_at: Read::maybe($data, 'next_attempt_at', static fn ($value) => new \DateTimeImmutable($value)),
            attempts: array_map(static fn ($each) => CallbackAttempt::from($each), Read::must($data, 'attempts')),
            payload: Read::must($data, 'payload'),
        );
    }
}
