<?php

declare(strict_types=1);

namespace SettlementSdk\Following;

use SettlementSdk\Types;
use SettlementSdk\Waiting;

/** Waiting for the end of one. */
trait Topups
{
    /**
     * Waits for the end: completed or failed. @throws \SettlementSdk\NotTerminal if there is none in time, or ever.
     *
     * @param float $timeout how many seconds to wait in all
     * @param float $every how many seconds to wait before the second look; later waits grow to 10
     */
    public function waitForTerminal(string $id, float $timeout = 600.0, float $every = 0.5): Types\TopupRequestResponse
    {
        $look = fn (): Types\TopupRequestResponse => $this->get($id);
        $hopeless = static fn (): ?string => null;
        return Waiting::until($look, static fn (Types\TopupRequestResponse $found) => $found->status, ['completed', 'failed'], $timeout, $every, $hopeless);
    }
}
