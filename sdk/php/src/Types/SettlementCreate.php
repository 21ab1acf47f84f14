<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as SettlementCreate. */
final readonly class SettlementCreate implements \JsonSerializable
{
    public function __construct(
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
        /** The merchant's wallet on the chain. The crypto is sent to it. 0x and 40 hex digits on EVM and Tempo, base 58 on Solana and Tron. */
        public string $wallet_address,
        /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the callback of an approval, and the final callback unless you give another URL at confirmation. */
        public ?string $callback_url = null,
        /**
         * Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each.
         *
         * @var array<string, string>|null
         */
        public ?array $metadata = null,
    ) {
    }

    /**
     * What is sent: what is null is left out.
     *
     * @return array<string, mixed>
     */
    public function jsonSerialize(): array
    {
        return array_filter([
            'source_amount' => $this->source_amount,
            'source_currency' => $this->source_currency,
            'destination_currency' => $this->destination_currency,
            'external_merchant_id' => $this->external_merchant_id,
            'chain' => $this->chain,
            'wallet_address' => $this->wallet_address,
            'callback_url' => $this->callback_url,
            'metadata' => $this->metadata === null ? null : (object) $this->metadata,
        ], static fn ($value) => $value !== null);
    }
}
