<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of topups. */
final class Topups
{
    use \SettlementSdk\Following\Topups;

    public function __construct(private readonly Sender $sender)
    {
    }

    /** Collects fiat and sends crypto to a member's wallet. A repeat with the same external_id, for example after a crash, is the same top-up. */
    public function create(Types\TopupRequestCreate $body): Types\TopupRequestResponse
    {
        return Types\TopupRequestResponse::from($this->sender->members(new Call('partner', 'POST', '/partners/transactions/topup-fiat', body: $body)));
    }

    /** Returns a top-up. */
    public function get(string $id): Types\TopupRequestResponse
    {
        return Types\TopupRequestResponse::from($this->sender->members(new Call('partner', 'GET', '/partners/transactions/topup-fiat/{id}', params: [$id])));
    }

    /**
     * Returns what a top-up would send now, with your fee. Nothing is stored.
     *
     * @param int $amount The fiat to collect, in minor units of currency. The fee is included
     * @param string $currency The fiat currency that is paid out or collected, as an ISO 4217 code such as KES
     * @param string $chain The blockchain network as a CAIP-2 id, such as eip155:1
     * @param string $destination_currency The symbol of the token that is sent to the member's wallet, such as USDT
     */
    public function preview(int $amount, string $currency, string $chain, string $destination_currency): Types\TopupPreview
    {
        return Types\TopupPreview::from($this->sender->members(new Call('partner', 'GET', '/partners/transactions/topup-fiat/preview', query: ['amount' => $amount, 'currency' => $currency, 'chain' => $chain, 'destination_currency' => $destination_currency])));
    }

    /** Cancels a top-up while the provider was not asked to collect; after that the service refuses it with invalid_state. A repeat answers the same. */
    public function cancel(string $id): Types\TopupRequestResponse
    {
        return Types\TopupRequestResponse::from($this->sender->members(new Call('partner', 'POST', '/partners/transactions/topup-fiat/{id}/cancel', params: [$id])));
    }
}
