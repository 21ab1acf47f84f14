<?php

declare(strict_types=1);

namespace SettlementSdk\Following;

use SettlementSdk\Types;
use SettlementSdk\Waiting;

/** Waiting for the end of one. */
trait Settlements
{
    /**
     * Waits for the end: executed, failed or cancelled. @throws \SettlementSdk\NotTerminal if there is none in time, or ever.
     *
     * @param float $timeout how many seconds to wait in all
     * @param float $every how many seconds to wait before the second look; later waits grow to 10
     */
    public function waitForTerminal(string $tx_id, float $timeout = 600.0, float $every = 0.5): Types\Settlement
    {
        $look = fn (): Types\Settlement => $this->get($tx_id);
        $hopeless = fn ($found): ?string => Waiting::lapsed($this->sender, $found);
        return Waiting::until($look, static fn (Types\Settlement $found) => $found->status, ['executed', 'failed', 'cancelled'], $timeout, $every, $hopeless);
    }
}
