<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of prices. */
final class Prices
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /**
     * Returns the pairs that you can get quotes for.
     *
     * @return list<Types\Pair>
     */
    public function pairs(): array
    {
        return array_map(static fn ($each) => Types\Pair::from($each), Read::must($this->sender->members(new Call('settlement', 'GET', '/api/v1/pairs')), 'data'));
    }

    /**
     * Returns the present quote for an amount. Nothing is promised.
     *
     * @param string $source_currency The fiat currency that you collect, as an ISO 4217 code such as KES
     * @param string $destination_currency The symbol of the token that the wallet receives, such as USDT
     * @param string $chain The blockchain network as a CAIP-2 id, such as eip155:1
     * @param ?int $source_amount The amount to price, in minor units of source_currency. Without it, the answer has only the rate and the fee
     * @param ?string $wallet_address A wallet on the chain. With it, the answer has network_cost
     */
    public function preview(string $source_currency, string $destination_currency, string $chain, ?int $source_amount = null, ?string $wallet_address = null): Types\RatePreview
    {
        return Types\RatePreview::from($this->sender->members(new Call('settlement', 'GET', '/api/v1/rates/preview', query: ['source_currency' => $source_currency, 'destination_currency' => $destination_currency, 'chain' => $chain, 'source_amount' => $source_amount, 'wallet_address' => $wallet_address])));
    }

    /**
     * Returns the present rates.
     *
     * @return list<Types\ExchangeRate>
     */
    public function rates(): array
    {
        return array_map(static fn ($each) => Types\ExchangeRate::from($each), $this->sender->members(new Call('partner', 'GET', '/exchange-rates')));
    }

    /**
     * Converts an amount at the mid rate: one currency is fiat, the other crypto.
     *
     * @param string $from The currency to convert from, fiat or crypto
     * @param string $to The currency to convert to. If from is fiat it must be crypto, and the other way round
     * @param string $amount The amount of from to convert. Fiat is in minor units, crypto in units
     */
    public function convert(string $from, string $to, string $amount): Types\Conversion
    {
        return Types\Conversion::from($this->sender->members(new Call('partner', 'GET', '/exchange-rates/convert', query: ['from' => $from, 'to' => $to, 'amount' => $amount])));
    }
}
