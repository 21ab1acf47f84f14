<?php

declare(strict_types=1);

namespace SettlementSdk\Following;

use SettlementSdk\Types;
use SettlementSdk\Waiting;

/** Waiting for a member's wallet. */
trait Members
{
    /**
     * Waits until the member's `wallet_address` can be paid: at once if it brought its own. @throws \SettlementSdk\NotTerminal
     * if its Safe cannot be deployed, or is not yet.
     *
     * @param float $timeout how many seconds to wait in all
     * @param float $every how many seconds to wait before the second look; later waits grow to 10
     */
    public function waitForSafe(string $external_user_id, float $timeout = 600.0, float $every = 0.5): Types\Member
    {
        $look = fn (): Types\Member => $this->get($external_user_id);
        $status = static fn (Types\Member $found): string => $found->wallet_address === null ? 'without an address' : $found->safe_status ?? 'its own';
        $hopeless = static fn (Types\Member $found): ?string => $found->safe_status === 'failed' ? "the member's Safe could not be deployed" : null;
        return Waiting::until($look, $status, ['deployed', 'its own'], $timeout, $every, $hopeless);
    }
}
