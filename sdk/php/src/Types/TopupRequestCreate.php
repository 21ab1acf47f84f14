<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;

/** What a request says as TopupRequestCreate. */
final readonly class TopupRequestCreate implements \JsonSerializable
{
    public function __construct(
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
        /** The blockchain network as a CAIP-2 id, such as eip155:1. */
        public string $chain,
        /** The account that the fiat is collected from. */
        public TopupRequestCreateSource $source,
        /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives a callback when the order has ended. Without it, no callback is sent. */
        public ?string $callback_url = null,
        /** The least crypto to send, in units of destination_currency. If the price comes to less, the request is refused with quote_changed. */
        public Decimal|string|int|null $minimum_destination_amount = null,
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
            'external_id' => $this->external_id,
            'external_user_id' => $this->external_user_id,
            'amount' => $this->amount,
            'currency' => $this->currency,
            'destination_currency' => $this->destination_currency,
            'chain' => $this->chain,
            'source' => $this->source,
            'callback_url' => $this->callback_url,
            'minimum_destination_amount' => $this->minimum_destination_amount === null ? null : Decimal::of($this->minimum_destination_amount),
            'metadata' => $this->metadata === null ? null : (object) $this->metadata,
        ], static fn ($value) => $value !== null);
    }
}
