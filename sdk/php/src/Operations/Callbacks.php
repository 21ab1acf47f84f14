<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of callbacks. */
final class Callbacks
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /**
     * Reads the callbacks of settlements, batches, withdrawals and top-ups that match, newest first, page by page.
     *
     * @param ?string $object_id Return only the callbacks of this settlement, batch, withdrawal or top-up
     * @param ?string $state Return only callbacks in this state
     * @param ?string $event Return only callbacks of this event
     * @param ?\DateTimeInterface $created_from Return only objects created at this instant or later. ISO 8601 with a time zone
     * @param ?\DateTimeInterface $created_to Return only objects created before this instant. ISO 8601 with a time zone
     * @param ?int $limit The most items to return, 1 to 100. The default is 25
     * @return \Generator<int, Types\OwnCallback>
     */
    public function list(?string $object_id = null, ?string $state = null, ?string $event = null, ?\DateTimeInterface $created_from = null, ?\DateTimeInterface $created_to = null, ?int $limit = null): \Generator
    {
        return $this->sender->walk(new Call('settlement', 'GET', '/api/v1/callbacks', query: ['object_id' => $object_id, 'state' => $state, 'event' => $event, 'created_from' => $created_from, 'created_to' => $created_to, 'limit' => $limit]), 'data', Types\OwnCallback::from(...));
    }

    /** Returns a callback with every attempt. */
    public function get(string $callback_id): Types\OwnCallback
    {
        return Types\OwnCallback::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/callbacks/{callback_id}', params: [$callback_id])));
    }

    /** Sends a callback again: six new attempts, with the same id and body. */
    public function resend(string $callback_id): Types\OwnCallback
    {
        return Types\OwnCallback::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/callbacks/{callback_id}/resend', params: [$callback_id])));
    }

    /** Makes one attempt now, in addition to the six. */
    public function attempt(string $callback_id): Types\OwnCallback
    {
        return Types\OwnCallback::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/callbacks/{callback_id}/attempt', params: [$callback_id])));
    }
}
