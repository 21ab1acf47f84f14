<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as Settlement. */
final readonly class Settlement
{
    public function __construct(
        /** The settlement's id. It begins with tx_. */
        public string $tx_id,
        /** The id of the batch that the settlement belongs to. It is confirmed, cancelled and decided with that batch. Null if it belongs to no batch. */
        public ?string $batch_id,
        /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start. */
        public ?string $external_tx_id,
        /** The settlement's status. executed, failed and cancelled are final. One of quoted, processing, executed, failed, cancelled; a later version of the service may have more. */
        public string $status,
        /** The state of the operator's approval. While it is pending, the settlement cannot be confirmed. Null if no approval is needed. One of pending, approved, rejected; a later version of the service may have more. */
        public ?string $approval_state,
        /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES. */
        public int $source_amount,
        /** The fiat currency that you collect, as an ISO 4217 code such as KES. */
        public string $source_currency,
        /** The symbol of the token that the wallet receives, such as USDT. */
        public string $destination_currency,
        /** Your own id for the merchant that is paid. */
        public string $external_merchant_id,
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The merchant's wallet on the chain. The crypto is sent to it. */
        public string $wallet_address,
        /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $destination_amount,
        /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $platform_fee,
        /** Units of destination_currency for one major unit of source_currency, such as 0.0077 USDT for 1 KES. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $exchange_rate,
        /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit. */
        public string $rate_unit,
        /** When the quote expires. Confirm before this instant. An approval sets a new one. */
        public \DateTimeImmutable $expires_at,
        /** The URL that callbacks are sent to: the one given at confirmation, or else the one given at creation. Null until you give one. */
        public ?string $callback_url,
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
        /** When it was confirmed. Null until then. */
        public ?\DateTimeImmutable $confirmed_at,
        /** When it was cancelled or rejected. Null if neither has happened. */
        public ?\DateTimeImmutable $cancelled_at,
        /** When an operator approved or rejected it. Null until then, and if no approval is needed. */
        public ?\DateTimeImmutable $approval_decided_at,
        /** The operator's reason for a rejection. Null if it was not rejected. */
        public ?string $rejection_reason,
        /** Why the payment of a processing settlement is waiting. treasury_funding: for funds. chain_unavailable: for the chain. review and hold: for the operator's people. Null if it is not waiting. One of treasury_funding, chain_unavailable, review, hold; a later version of the service may have more. */
        public ?string $waiting_reason,
        /** When the payment began to wait for waiting_reason. Null if it is not waiting. */
        public ?\DateTimeImmutable $waiting_since,
        /**
         * Callbacks that could not be delivered in six attempts. Usually empty.
         *
         * @var list<SettlementUndeliveredCallback>
         */
        public array $undelivered_callbacks,
        /** The hash of the transaction that paid: 0x and 64 hex digits on EVM and Tempo, 64 hex digits on Tron, base 58 on Solana. One transaction may pay several settlements. Present only once the status is executed. */
        public ?string $tx_hash = null,
        /** When the payment became final on the chain. Present only once the status is executed. */
        public ?\DateTimeImmutable $executed_at = null,
        /** Why nothing was paid, in one sentence. Present only once the status is failed. */
        public ?string $failure_reason = null,
        /** When it failed. Present only once the status is failed. Settlements that failed before this field existed do not have it. */
        public ?\DateTimeImmutable $failed_at = null,
        /** What the payment would cost us, as far as we know it when you create the settlement. Null if it is not known then. Present only in the answer that creates it. */
        public ?SettlementNetworkCost $network_cost = null,
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
            tx_id: Read::must($data, 'tx_id'),
            batch_id: $data['batch_id'] ?? null,
            external_tx_id: $data['external_tx_id'] ?? null,
            status: Read::must($data, 'status'),
            approval_state: $data['approval_state'] ?? null,
            source_amount: Read::must($data, 'source_amount'),
            source_currency: Read::must($data, 'source_currency'),
            destination_currency: Read::must($data, 'destination_currency'),
            external_merchant_id: Read::must($data, 'external_merchant_id'),
            chain: Read::must($data, 'chain'),
            wallet_address: Read::must($data, 'wallet_address'),
            destination_amount: Decimal::of(Read::must($data, 'destination_amount')),
            platform_fee: Decimal::of(Read::must($data, 'platform_fee')),
            exchange_rate: Decimal::of(Read::must($data, 'exchange_rate')),
            rate_unit: Read::must($data, 'rate_unit'),
            expires_at: new \DateTimeImmutable(Read::must($data, 'expires_at')),
            callback_url: $data['callback_url'] ?? null,
            metadata: Read::must($data, 'metadata'),
            created_at: new \DateTimeImmutable(Read::must($data, 'created_at')),
            updated_at: new \DateTimeImmutable(Read::must($data, 'updated_at')),
            confirmed_at: Read::maybe($data, 'confirmed_at', static fn ($value) => new \DateTimeImmutable($value)),
            cancelled_at: Read::maybe($data, 'cancelled_at', static fn ($value) => new \DateTimeImmutable($value)),
            approval_decided_at: Read::maybe($data, 'approval_decided_at', static fn ($value) => new \DateTimeImmutable($value)),
            rejection_reason: $data['rejection_reason'] ?? null,
            waiting_reason: $data['waiting_reason'] ?? null,
            waiting_since: Read::maybe($data, 'waiting_since', static fn ($value) => new \DateTimeImmutable($value)),
            undelivered_callbacks: array_map(static fn ($each) => SettlementUndeliveredCallback::from($each), Read::must($data, 'undelivered_callbacks')),
            tx_hash: $data['tx_hash'] ?? null,
            executed_at: Read::maybe($data, 'executed_at', static fn ($value) => new \DateTimeImmutable($value)),
            failure_reason: $data['failure_reason'] ?? null,
            failed_at: Read::maybe($data, 'failed_at', static fn ($value) => new \DateTimeImmutable($value)),
            network_cost: Read::maybe($data, 'network_cost', static fn ($value) => SettlementNetworkCost::from($value)),
        );
    }
}
