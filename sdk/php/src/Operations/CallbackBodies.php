<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Types;

/** The bodies of callbacks, by their events. */
final class CallbackBodies
{
    /**
     * An event that this version does not know keeps its members.
     *
     * @param array<string, mixed> $data
     * @return object|array<string, mixed>
     */
    public static function read(string $event, array $data): object|array
    {
        return match ($event) {
            'settlement.approved' => Types\SettlementApproved::from($data),
            'settlement.executed' => Types\SettlementExecuted::from($data),
            'settlement.failed' => Types\SettlementFailed::from($data),
            'batch.completed' => Types\BatchCompleted::from($data),
            'withdrawal.completed' => Types\WithdrawalCompleted::from($data),
            'withdrawal.failed' => Types\WithdrawalFailed::from($data),
            'withdrawal.cancelled' => Types\WithdrawalCancelled::from($data),
            'topup.completed' => Types\TopupCompleted::from($data),
            'topup.failed' => Types\TopupFailed::from($data),
            'topup.cancelled' => Types\TopupCancelled::from($data),
            default => $data,
        };
    }
}
