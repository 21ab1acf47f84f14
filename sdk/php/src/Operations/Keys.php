<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of keys. */
final class Keys
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /**
     * Returns your API keys.
     *
     * @param ?int $skip How many items to skip. The default is 0
     * @param ?int $limit The most items to return, 1 to 100. The default is 25
     * @param ?string $search Return only items whose name or reference contains this text. Upper and lower case are the same
     * @return list<Types\ApiKeyView>
     */
    public function list(?int $skip = null, ?int $limit = null, ?string $search = null): array
    {
        return array_map(static fn ($each) => Types\ApiKeyView::from($each), $this->sender->members(new Call('partner', 'GET', '/partners/api-keys', query: ['skip' => $skip, 'limit' => $limit, 'search' => $search])));
    }

    /** Makes a successor with the same rights. The answer contains its secret; for a day, the same intent returns it again. */
    public function rotate(string $id, Types\Rotation $body, string $intent): Types\ApiKeyView
    {
        return Types\ApiKeyView::from($this->sender->members(new Call('partner', 'POST', '/partners/api-keys/{id}/rotate', params: [$id], body: $body, intent: $intent)));
    }

    /** Revokes a key at once. */
    public function revoke(string $id): void
    {
        $this->sender->send(new Call('partner', 'DELETE', '/partners/api-keys/{id}', params: [$id]));
    }

    /** Makes a new secret for your callbacks. The answer contains it; for a day, the same intent returns it again. */
    public function rotateCallbackSecret(string $partner_id, Types\Rotation $body, string $intent): Types\CallbackSecret
    {
        return Types\CallbackSecret::from($this->sender->members(new Call('partner', 'POST', '/partners/{partner_id}/callback-secret/rotate', params: [$partner_id], body: $body, intent: $intent)));
    }
}
