<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as ProofStatus. */
final readonly class ProofStatus
{
    public function __construct(
        /** The kind of proof. One of quote, receipt; a later version of the service may have more. */
        public string $type,
        /** The settlement's id, from the proof's claim `sub`. */
        public string $tx_id,
        /** The state of the proof now. Of a quote: `in_force`, `fulfilled` (paid), `awaiting_approval` (nothing is promised yet), `superseded` (another price was agreed), `expired`, `rejected`, `cancelled` or `failed`. Of a receipt: `paid`, or `reversed` while the chain shows something other than what was signed. One of in_force, fulfilled, awaiting_approval, superseded, expired, rejected, cancelled, failed, paid, reversed; a later version of the service may have more. */
        public string $status,
        /** Whether you may rely on the proof. True for `in_force`, `fulfilled` and `paid`. */
        public bool $holds,
        /** When the status was checked. */
        public \DateTimeImmutable $checked_at,
    ) {
    }

    /**
     * Reads it, for example from the data of an event.
     *
     * @param array<string, mixed> $data
     */
    public static function from(array $data): self
    {
        return new self(
            type: Read::must($data, 'type'),
            tx_id: Read::must($data, 'tx_id'),
            status: Read::must($data, 'status'),
            holds: Read::must($data, 'holds'),
            checked_at: new \DateTimeImmutable(Read::must($data, 'checked_at')),
        );
    }
}
