<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Where a reader of events is: kept where it survives a crash, best in the transaction that does what the events ask for. */
interface CursorStore
{
    /** Null: there is none yet, and the reader begins with the oldest events. */
    public function read(): ?string;

    public function write(string $cursor): void;
}
