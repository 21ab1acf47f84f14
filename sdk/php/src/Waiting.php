<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Waiting for an end. */
final class Waiting
{
    private const LONGEST_LOOK = 10.0;

    /**
     * Looks until the status is one of `ends`.
     *
     * @template T of object
     * @param callable(): T $look
     * @param callable(T): string $status
     * @param list<string> $ends
     * @param callable(T): ?string $hopeless why it will never be one of them
     * @return T
     * @throws NotTerminal
     */
    public static function until(callable $look, callable $status, array $ends, float $timeout, float $every, callable $hopeless): object
    {
        $given_up_at = microtime(true) + $timeout;
        for ($pause = $every;; $pause = min($pause * 1.5, max($every, self::LONGEST_LOOK))) {
            $found = $look();
            $now = $status($found);
            if (in_array($now, $ends, true)) {
                return $found;
            }
            $why = $hopeless($found);
            if ($why === null && microtime(true) + $pause > $given_up_at) {
                $why = "it is $now after $timeout s";
            }
            if ($why !== null) {
                throw new NotTerminal($why, $found);
            }
            Sender::pause($pause);
        }
    }

    /**
     * Why a quote will never be paid: it has expired, by the service's clock. One that waits for approval may get another
     * price.
     */
    public static function lapsed(Sender $sender, Types\Settlement|Types\Batch $found): ?string
    {
        $end = (float) $found->expires_at->format('U.u');
        if ($found->status !== 'quoted' || $found->approval_state === 'pending' || $end >= $sender->now()) {
            return null;
        }
        // This machine's clock may be wrong, and no refusal has said so yet.
        $clock = Types\ServiceTime::from($sender->members(new Call('open', 'GET', '/time')));
        return $end < $clock->epoch_seconds ? 'the quote has expired' : null;
    }
}
