<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The groups of operations, and the operations that are in none. */
trait ClientOperations
{
    public readonly Settlements $settlements;
    public readonly Batches $batches;
    public readonly Callbacks $callbacks;
    public readonly Events $events;
    public readonly EventDestinations $event_destinations;
    public readonly Prices $prices;
    public readonly Members $members;
    public readonly Withdrawals $withdrawals;
    public readonly Topups $topups;
    public readonly Keys $keys;
    private readonly Sender $sender;

    private function connect(Sender $sender): void
    {
        $this->sender = $sender;
        $this->settlements = new Settlements($sender);
        $this->batches = new Batches($sender);
        $this->callbacks = new Callbacks($sender);
        $this->events = new Events($sender);
        $this->event_destinations = new EventDestinations($sender);
        $this->prices = new Prices($sender);
        $this->members = new Members($sender);
        $this->withdrawals = new Withdrawals($sender);
        $this->topups = new Topups($sender);
        $this->keys = new Keys($sender);
    }

    /** Returns your own partner: wallet_address is your Safe, charge_fee_percentage your fee on withdrawals and top-ups. */
    public function partner(): Types\Partner
    {
        return Types\Partner::from($this->sender->members(new Call('partner', 'GET', '/partners/current')));
    }

    /**
     * Returns the payments that the operator booked for your partner.
     *
     * @return list<Types\PartnerPayment>
     */
    public function payments(string $partner_id): array
    {
        return array_map(static fn ($each) => Types\PartnerPayment::from($each), $this->sender->members(new Call('partner', 'GET', '/partners/{partner_id}/payments', params: [$partner_id])));
    }

    /**
     * Reads the settlements, withdrawals and top-ups that match, newest first, page by page.
     *
     * @param ?string $type Return only transactions of this type
     * @param ?string $status Return only transactions with this status
     * @param ?string $external_id Return only transactions with this external_id
     * @param ?\DateTimeInterface $created_from Return only objects created at this instant or later. ISO 8601 with a time zone
     * @param ?\DateTimeInterface $created_to Return only objects created before this instant. ISO 8601 with a time zone
     * @param ?int $limit The most items to return, 1 to 100. The default is 25
     * @return \Generator<int, Types\Transaction>
     */
    public function transactions(?string $type = null, ?string $status = null, ?string $external_id = null, ?\DateTimeInterface $created_from = null, ?\DateTimeInterface $created_to = null, ?int $limit = null): \Generator
    {
        return $this->sender->walk(new Call('partner', 'GET', '/partners/transactions', query: ['type' => $type, 'status' => $status, 'external_id' => $external_id, 'created_from' => $created_from, 'created_to' => $created_to, 'limit' => $limit]), 'items', Types\Transaction::from(...));
    }

    /** Returns the service's clock, unsigned. */
    public function time(): Types\ServiceTime
    {
        return Types\ServiceTime::from($this->sender->members(new Call('open', 'GET', '/time')));
    }

    /**
     * Returns the public keys for verifying proofs, unsigned; with your partner id those of your callbacks as well. Take the id from your settings: another partner's keys verify that partner's callbacks.
     *
     * @param ?string $partner A partner's id. The answer then also has the keys of that partner's callbacks. Without it, the answer has only the keys of proofs
     */
    public function publicKeys(?string $partner = null): Types\PublicKeys
    {
        return Types\PublicKeys::from($this->sender->members(new Call('open', 'GET', '/.well-known/jwks.json', query: ['partner' => $partner])));
    }

    /** Returns whether a quote or a receipt is still valid, for anyone who has it. Unsigned. */
    public function proofStatus(Types\ProofQuestion $body): Types\ProofStatus
    {
        return Types\ProofStatus::from($this->sender->members(new Call('open', 'POST', '/proofs/status', body: $body)));
    }

    /** Reports an API key that you found, which is then revoked. Unsigned. */
    public function reportLeakedKey(Types\LeakedKey $body): void
    {
        $this->sender->send(new Call('open', 'POST', '/leaked-keys', body: $body));
    }

    /** Tests key, clock and signature: it returns what the service read of a signed request. */
    public function echo(mixed $body): Types\EchoAnswer
    {
        return Types\EchoAnswer::from($this->sender->members(new Call('settlement', 'POST', '/api/v1/echo', body: $body)));
    }
}
