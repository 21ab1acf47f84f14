<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of event destinations. */
final class EventDestinations
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /** Makes an event destination. The answer contains the secret that verifies its events; for a day, the same intent returns it again. */
    public function create(Types\EventDestinationCreate $body, string $intent): Types\EventDestination
    {
        return Types\EventDestination::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/event-destinations', body: $body, intent: $intent)));
    }

    /**
     * Returns your event destinations.
     *
     * @return list<Types\EventDestination>
     */
    public function list(): array
    {
        return array_map(static fn ($each) => Types\EventDestination::from($each), Read::must($this->sender->members(new Call('settlement', 'GET', '/api/v1/event-destinations')), 'data'));
    }

    /** Returns an event destination. */
    public function get(string $destination_id): Types\EventDestination
    {
        return Types\EventDestination::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/event-destinations/{destination_id}', params: [$destination_id])));
    }

    /** Changes an event destination. Paused, it keeps its place; active again, it gets everything that has waited. */
    public function update(string $destination_id, Types\EventDestinationChange $body): Types\EventDestination
    {
        return Types\EventDestination::from($this->sender->members(new Call('settlement', 'PATCH', '/api/v1/event-destinations/{destination_id}', params: [$destination_id], body: $body)));
    }

    /** Deletes an event destination. */
    public function delete(string $destination_id): void
    {
        $this->sender->send(new Call('settlement', 'DELETE', '/api/v1/event-destinations/{destination_id}', params: [$destination_id]));
    }

    /** Sends a test event. How it ended is in last_test of get. */
    public function test(string $destination_id): Types\EventDestination
    {
        return Types\EventDestination::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/event-destinations/{destination_id}/test', params: [$destination_id], body: new \stdClass())));
    }

    /** Sends everything from that moment on again, under the same ids. */
    public function replay(string $destination_id, Types\Replay $body): Types\EventDestination
    {
        return Types\EventDestination::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/event-destinations/{destination_id}/replay', params: [$destination_id], body: $body)));
    }
}
