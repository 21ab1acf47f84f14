<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as PartnerPayment. */
final readonly class PartnerPayment
{
    public function __construct(
        /** The booking's id. It begins with bk_. Null while the booking waits for a second person. */
        public ?string $id,
        /** The id of the partner that paid. */
        public string $partner_id,
        /** The amount that was paid, in minor units of currency. */
        public int $amount,
        /** The fiat currency as an ISO 4217 code, such as KES. */
        public string $currency,
        /** When the bank received the payment. It cannot be in the future. */
        public \DateTimeImmutable $received_at,
        /** The bank's own reference of the payment. Each reference is booked only once, for one partner. */
        public string $reference,
        /** proposed: a second person must still confirm it. booked: the amount is deducted from what the partner owes. reversed: the booking was undone. One of proposed, booked, reversed; a later version of the service may have more. */
        public string $status,
        /** When it was booked. Null until then. */
        public ?\DateTimeImmutable $booked_at,
        /** When it was reversed. Null if it was not. */
        public ?\DateTimeImmutable $reversed_at,
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
            id: $data['id'] ?? null,
            partner_id: Read::must($data, 'partner_id'),
            amount: Read::must($data, 'amount'),
            currency: Read::must($data, 'currency'),
            received_at: new \DateTimeImmutable(Read::must($data, 'received_at')),
            reference: Read::must($data, 'reference'),
            status: Read::must($data, 'status'),
            booked_at: Read::maybe($data, 'booked_at', static fn ($value) => new \DateTimeImmutable($value)),
            reversed_at: Read::maybe($data, 'reversed_at', static fn ($value) => new \DateTimeImmutable($value)),
        );
    }
}
