<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as EstimatedSettlementUndeliveredCallback. */
final readonly class EstimatedSettlementUndeliveredCallback
{
    public function __construct(
        /** The callback's id. It begins with cb_. Every attempt sends it in the header webhook-id. */
        public string $id,
        /** The event that the callback reports. One of settlement.approved, settlement.executed, settlement.failed, withdrawal.completed, withdrawal.failed, topup.completed, topup.failed; a later version of the service may have more. */
        public string $event,
        /** The URL that the callback is sent to. */
        public string $callback_url,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When the service stopped trying: the end of the sixth attempt. */
        public \DateTimeImmutable $undelivered_at,
        /**
         * The attempts since the callback was created or last resent.
         *
         * @var list<CallbackAttempt>
         */
        public array $attempts,
        /**
         * The body of the callback, exactly as it was sent.
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
            callback_url: Read::must($data, 'callback_url'),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            undelivered_at: new \DateTimeImmutable(Read::must($data, 'undelivered_at')),
            attempts: array_map(static fn ($each) => CallbackAttempt::from($each), Read::must($data, 'attempts')),
            payload: Read::must($data, 'payload'),
        );
    }
}
