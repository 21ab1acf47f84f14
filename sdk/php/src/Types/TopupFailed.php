<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** The body of topup.failed. A top-up failed. No crypto is sent for it. */
final readonly class TopupFailed
{
    public function __construct(
        /** The top-up's id. It begins with tu_. */
        public string $id,
        /** The final status. */
        public string $status,
        /** Your own reference, unique among your top-ups. */
        public string $external_id,
        /** Your own id for the member, who pays the fiat and receives the crypto. */
        public string $external_user_id,
        /** The fiat to collect, in minor units of currency. The fee is included. */
        public int $amount,
        /** The fiat currency that is paid out or collected, as an ISO 4217 code such as KES. */
        public string $currency,
        /** The symbol of the token that is sent to the member's wallet, such as USDT. */
        public string $destination_currency,
        /** The crypto sent to the wallet for amount minus fee, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $destination_amount,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The member's wallet. The crypto is sent to it. */
        public string $wallet_address,
        /** The account that the fiat is collected from. */
        public TopupRequestResponseSource $source,
        /** What the payer needs for the payment. */
        public TopupRequestResponsePayment $payment,
        /** The URL that the callback is sent to. Null if no callback is sent. */
        public ?string $callback_url,
        /** When the top-up expires. It fails then if it has not been paid. */
        public \DateTimeImmutable $expires_at,
        /** When it was paid after it had expired. No crypto is sent for it, and the operator handles the money. Null if it was not paid late. */
        public ?\DateTimeImmutable $paid_late_at,
        /** Units of the crypto for one major unit of the fiat, such as 0.0077 USDT for 1 KES. Withdrawals state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $exchange_rate,
        /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up. */
        public int $fee,
        /** The hash of the transfer's transaction. Null until the transfer is final on the chain. */
        public ?string $tx_hash,
        /** The fiat provider's own reference for the payment. Null until the provider reports one. */
        public ?string $provider_reference,
        /** Why it failed, in one sentence. */
        public string $failure_reason,
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
        /** The event that the callback reports. */
        public string $event,
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
            destination_currency: Read::must($data, 'destination_currency'),
            destination_amount: Decimal::of(Read::must($data, 'destination_amount')),
            chain: Read::must($data, 'chain'),
            wallet_address: Read::must($data, 'wallet_address'),
            source: TopupRequestResponseSource::from(Read::must($data, 'source')),
            payment: TopupRequestResponsePayment::from(Read::must($data, 'payment')),
            callback_url: $data['callback_url'] ?? null,
            expires_at: new \DateTimeImmutable(Read::must($data, 'expires_at')),
            paid_late_at: Read::maybe($data, 'paid_late_at', static fn ($value) => new \DateTimeImmutable($value)),
            exchange_rate: Decimal::of(Read::must($data, 'exchange_rate')),
            fee: Read::must($data, 'fee'),
            tx_hash: $data['tx_hash'] ?? null,
            provider_reference: $data['provider_reference'] ?? null,
            failure_reason: Read::must($data, 'failure_reason'),
            rate_unit: Read::must($data, 'rate_unit'),
            metadata: Read::must($data, 'metadata'),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            updated_at: new \DateTimeImmutable(Read::must($data, 'updated_at')),
            completed_at: Read::maybe($data, 'completed_at', static fn ($value) => new \DateTimeImmutable($value)),
            cancelled_at: Read::maybe($data, 'cancelled_at', static fn ($value) => new \DateTimeImmutable($value)),
            event: Read::must($data, 'event'),
        );
    }
}
