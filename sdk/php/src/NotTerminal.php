<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Something has not ended in the given time, or never will by itself. `last` is its last state. */
final class NotTerminal extends SettlementException
{
    public function __construct(string $message, public readonly object $last)
    {
        parent::__construct($message);
    }
}
