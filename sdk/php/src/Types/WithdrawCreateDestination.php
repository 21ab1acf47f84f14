<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** The account that the fiat is paid to. */
final readonly class WithdrawCreateDestination implements \JsonSerializable
{
    public function __construct(
        /** The kind of account. One of mobile_money, bank_account; a later version of the service may have more. */
        public string $type,
        /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number. */
        public string $account,
        /** The payee's name, as it is on the account. */
        public string $name,
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
            'type' => $this->type,
            'account' => $this->account,
            'name' => $this->name,
        ], static fn ($value) => $value !== null);
    }
}
