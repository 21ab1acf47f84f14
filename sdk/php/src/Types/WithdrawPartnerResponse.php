<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as WithdrawPartnerResponse. */
final readonly class WithdrawPartnerResponse
{
    public function __construct(
        /** The withdrawal's id. It begins with wd_. */
        public string $id,
        /** The status. completed and failed are final. One of pending, processing, completed, failed; a later version of the service may have more. */
        public string $status,
        /** Your own reference, unique among your withdrawals. */
        public string $external_id,
        /** Your own id for the member whose Safe pays. */
        public string $external_user_id,
        /** The fiat to pay out, in minor units of currency. The fee is not included. */
        public int $amount,
        /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES. */
        public string $currency,
        /** The symbol of the token that is taken from the Safe, such as USDT. */
        public string $source_currency,
        /** The crypto taken from the Safe for amount and fee together, in units of source_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $source_amount,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The account that the fiat is paid to. */
        public WithdrawRequestResponseDestination $destination,
        /** The URL that the callback is sent to. Null if no callback is sent. */
        public ?string $callback_url,
        /** The hash of the transaction that returned the crypto after a failed payout. Null if nothing was returned. */
        public ?string $return_tx_hash,
        /** Why the withdrawal waits before its crypto is taken. new_payee: you have not paid this account before, and can check it. hold: the operator's people decide. Null if it does not wait. One of new_payee, hold; a later version of the service may have more. */
        public ?string $waiting_reason,
        /** When it began to wait for waiting_reason. Null if it does not wait. */
        public ?\DateTimeImmutable $waiting_since,
        /** When the wait ends by itself. An owner can end it earlier by accepting the payee in the console. Null if it does not wait, or if people decide. */
        public ?\DateTimeImmutable $waiting_until,
        /** Major units of the fiat for one unit of the crypto, such as 129.2 KES for 1 USDT. Settlements and top-ups state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $exchange_rate,
        /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up. */
        public int $fee,
        /** The hash of the transfer's transaction. Null until the transfer is final on the chain. */
        public ?string $tx_hash,
        /** The fiat provider's own reference for the payment. Null until the provider reports one. */
        public ?string $provider_reference,
        /** Why it failed, in one sentence. Null unless it failed. */
        public ?string $failure_reason,
        /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit. */
        public string $rate_unit,
        /**
         * Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none.
         *
         * @var array<string, string>
         */
        public array $metadata,
        /** When the object was created. */
        public \DateTimeImmutable $created_at,
        /** When the object last changed. */
        public \DateTimeImmutable $updated_at,
        /** When it was completed. Null until then. */
        public ?\DateTimeImmutable $completed_at,
        /** When you cancelled it. Its status is then failed. Null if you did not cancel it. */
        public ?\DateTimeImmutable $cancelled_at,
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
            id: Read::must($data, 'id'),
            status: Read::must($data, 'status'),
            external_id: Read::must($data, 'external_id'),
            external_user_id: Read::must($data, 'external_user_id'),
            amount: Read::must($data, 'amount'),
            currency: Read::must($data, 'currency'),
            source_currency: Read::must($data, 'source_currency'),
            source_amount: Decimal::of(Read::must($data, 'source_amount')),
            chain: Read::must($data, 'chain'),
            destination: WithdrawRequestResponseDestination::from(Read::must($data, 'destination')),
            callback_url: $data['callback_url'] ?? null,
            return_tx_hash: $data['return_tx_hash'] ?? null,
            waiting_reason: $data['waiting_reason'] ?? null,
            waiting_since: Read::maybe($data, 'waiting_since', static fn ($value) => new \DateTimeImmutable($value)),
            waiting_until: Read::maybe($data, 'waiting_until', static fn ($value) => new \DateTimeImmutable($value)),
            exchange_rate: Decimal::of(Read::must($data, 'exchange_rate')),
            fee: Read::must($data, 'fee'),
            tx_hash: $data['tx_hash'] ?? null,
            provider_reference: $data['provider_reference'] ?? null,
            failure_reason: $data['failure_reason'] ?? null,
            rate_unit: Read::must($data, 'rate_unit'),
            metadata: Read::must($data, 'metadata'),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            updated_at: new \DateTimeImmutable(Read::must($data, 'updated_at')),
            completed_at: Read::maybe($data, 'completed_at', static fn ($value) => new \DateTimeImmutable($value)),
            cancelled_at: Read::maybe($data, 'cancelled_at', static fn ($value) => new \DateTimeImmutable($value)),
        );
    }
}
