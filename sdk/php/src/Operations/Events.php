<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of events. */
final class Events
{
    use \SettlementSdk\Following\Events;

    public function __construct(private readonly Sender $sender)
    {
    }

    /**
     * Returns one page of events, oldest first. Follow reads them all.
     *
     * @param ?string $types Return only events of these types, separated by commas. settlement.*, batch.*, withdrawal.*, topup.*, member.*, callback.*, destination.* mean all types of one object
     * @param ?string $cursor The next_cursor of the previous page. Without it, the list begins at the oldest event that is kept
     * @param ?int $limit The most events to return, 1 to 100. The default is 25
     * @param ?int $wait How long the request waits if there is no event yet, in seconds. The default is 0
     */
    public function page(?string $types = null, ?string $cursor = null, ?int $limit = null, ?int $wait = null): Types\EventPage
    {
        return Types\EventPage::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/events', query: ['types' => $types, 'cursor' => $cursor, 'limit' => $limit, 'wait' => $wait])));
    }

    /** Returns an event. */
    public function get(string $event_id): Types\Event
    {
        return Types\Event::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/events/{event_id}', params: [$event_id])));
    }
}
