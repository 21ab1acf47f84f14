<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of withdrawals. */
final class Withdrawals
{
    use \SettlementSdk\Following\Withdrawals;

    public function __construct(private readonly Sender $sender)
    {
    }

    /** Pays fiat out of your own Safe. A repeat with the same external_id, for example after a crash, is the same withdrawal. */
    public function create(Types\WithdrawCreate $body): Types\WithdrawRequestResponse
    {
        return Types\WithdrawRequestResponse::from($this->sender->members(new Call('partner', 'POST', '/partners/transactions/withdraw-fiat', body: $body)));
    }

    /** Pays fiat out of a member's Safe. */
    public function createForMember(Types\WithdrawPartnerCreate $body): Types\WithdrawPartnerResponse
    {
        return Types\WithdrawPartnerResponse::from($this->sender->members(new Call('partner', 'POST', '/partners/transactions/withdraw-fiat/member', body: $body)));
    }

    /** Returns a withdrawal. */
    public function get(string $id): Types\WithdrawRequestResponse
    {
        return Types\WithdrawRequestResponse::from($this->sender->members(new Call('partner', 'GET', '/partners/transactions/withdraw-fiat/{id}', params: [$id])));
    }

    /**
     * Returns what a withdrawal would take now, with your fee. Nothing is stored.
     *
     * @param int $amount The fiat to pay out, in minor units of currency. The fee is not included
     * @param string $currency The fiat currency that is paid out or collected, as an ISO 4217 code such as KES
     * @param string $chain The blockchain network as a CAIP-2 id, such as eip155:1
     * @param string $source_currency The symbol of the token that is taken from the Safe, such as USDT
     */
    public function preview(int $amount, string $currency, string $chain, string $source_currency): Types\WithdrawPreview
    {
        return Types\WithdrawPreview::from($this->sender->members(new Call('partner', 'GET', '/partners/transactions/withdraw-fiat/preview', query: ['amount' => $amount, 'currency' => $currency, 'chain' => $chain, 'source_currency' => $source_currency])));
    }

    /** Cancels a withdrawal while its crypto is still in the Safe; after that the service refuses it with invalid_state. A repeat answers the same. */
    public function cancel(string $id): Types\WithdrawRequestResponse
    {
        return Types\WithdrawRequestResponse::from($this->sender->members(new Call('partner', 'POST', '/partners/transactions/withdraw-fiat/{id}/cancel', params: [$id])));
    }

    /**
     * Returns what can be paid out now, by currency.
     *
     * @return list<Types\WithdrawFiatPool>
     */
    public function pools(): array
    {
        return array_map(static fn ($each) => Types\WithdrawFiatPool::from($each), $this->sender->members(new Call('partner', 'GET', '/partners/transactions/withdraw-fiat/pool')));
    }
}
