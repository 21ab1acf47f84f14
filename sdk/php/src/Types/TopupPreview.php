<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Decimal;
use SettlementSdk\Read;

/** What the service answers as TopupPreview. */
final readonly class TopupPreview
{
    public function __construct(
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
        /** Units of the crypto for one major unit of the fiat, such as 0.0077 USDT for 1 KES. Withdrawals state their rate the other way round. A JSON number of at most 15 digits: parse it as a decimal, not as a float. */
        public Decimal $exchange_rate,
        /** Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up. */
        public int $fee,
        /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit. */
        public string $rate_unit,
        /** When the underlying mid rate was observed. */
        public \DateTimeImmutable $as_of,
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
            amount: Read::must($data, 'amount'),
            currency: Read::must($data, 'currency'),
            destination_currency: Read::must($data, 'destination_currency'),
            destination_amount: Decimal::of(Read::must($data, 'destination_amount')),
            chain: Read::must($data, 'chain'),
            exchange_rate: Decimal::of(Read::must($data, 'exchange_rate')),
            fee: Read::must($data, 'fee'),
            rate_unit: Read::must($data, 'rate_unit'),
            as_of: new \DateTimeImmutable(Read::must($data, 'as_of')),
        );
    }
}
