<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** The account that the fiat is paid to. */
final readonly class WithdrawRequestResponseDestination
{
    public function __construct(
        /** The kind of account. */
        public string $type,
        /** The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number. */
        public string $account,
        /** The payee's name, as it is on the account. */
        public string $name,
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
            account: Read::must($data, 'account'),
            name: Read::must($data, 'name'),
        );
    }
}
