<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as Event. */
final readonly class Event
{
    public function __construct(
        /** The event's id. It begins with ev_. */
        public string $id,
        /** What happened, such as settlement.executed. One of settlement.created, settlement.approved, settlement.rejected, settlement.confirmed, settlement.cancelled, settlement.held, settlement.released, settlement.executed, settlement.failed, batch.created, batch.approved, batch.rejected, batch.confirmed, batch.cancelled, batch.completed, withdrawal.created, withdrawal.processing, withdrawal.completed, withdrawal.failed, withdrawal.cancelled, topup.created, topup.processing, topup.completed, topup.failed, topup.cancelled, member.safe_deployed, member.safe_failed, callback.undelivered, destination.paused; a later version of the service may have more. */
        public string $type,
        /** When the event happened. */
        public \DateTimeImmutable $created_at,
        /** The kind of object that the event is about. One of settlement, batch, withdrawal, topup, member, callback, destination; a later version of the service may have more. */
        public string $object_type,
        /** The id of that object. It begins with tx_, ba_, wd_, tu_, cb_ or de_. The id of a member is a UUID. */
        public string $object_id,
        /** The version of the object. It rises by one with each event of the object. */
        public int $version,
        /**
         * The object at that version, as its GET operation answered.
         *
         * @var array<string, mixed>
         */
        public array $data,
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
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            object_type: Read::must($data, 'object_type'),
            object_id: Read::must($data, 'object_id'),
            version: Read::must($data, 'version'),
            data: Read::must($data, 'data'),
        );
    }
}
