<?php

declare(strict_types=1);

namespace SettlementSdk\Following;

use SettlementSdk\CursorStore;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** Following every change. */
trait Events
{
    /**
     * Event after event, for ever; it waits for the next one. `store` keeps the place once all events of a page have been
     * taken: after a crash those of one page may come again, under the same ids.
     *
     * @param ?string $types separated by commas, such as settlement.*,withdrawal.completed; null: all
     * @param int $wait how many seconds a request waits for the next event
     * @return \Generator<int, Types\Event>
     * @throws \SettlementSdk\Refused with cursor_expired if the place is no longer kept: `oldest_cursor` of its members is the oldest
     */
    public function follow(CursorStore $store, ?string $types = null, int $wait = 20): \Generator
    {
        $cursor = $store->read();
        while (true) {
            $began = microtime(true);
            $page = $this->page(types: $types, cursor: $cursor, wait: $wait);
            foreach ($page->data as $event) {
                yield $event;
            }
            if ($page->next_cursor !== $cursor) {
                $cursor = $page->next_cursor;
                $store->write($cursor);
            }
            // An empty page that came at once: too many wait there, or the service is about to stop.
            if ($page->data === [] && microtime(true) - $began < 1.0) {
                Sender::pause(1.0);
            }
        }
    }
}
