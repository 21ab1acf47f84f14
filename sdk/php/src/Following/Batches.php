<?php

declare(strict_types=1);

namespace SettlementSdk\Following;

use SettlementSdk\Types;
use SettlementSdk\Waiting;

/** Waiting for the end of one. */
trait Batches
{
    /**
     * Waits for the end: completed or cancelled. A completed batch may have items that failed: see its counts. @throws \SettlementSdk\NotTerminal if there is none in time, or ever.
     *
     * @param float $timeout how many seconds to wait in all
     * @param float $every how many seconds to wait before the second look; later waits grow to 10
     */
    public function waitForTerminal(string $batch_id, float $timeout = 600.0, float $every = 0.5): Types\Batch
    {
        $look = fn (): Types\Batch => $this->get($batch_id);
        $hopeless = fn ($found): ?string => Waiting::lapsed($this->sender, $found);
        return Waiting::until($look, static fn (Types\Batch $found) => $found->status, ['completed', 'cancelled'], $timeout, $every, $hopeless);
    }
}
