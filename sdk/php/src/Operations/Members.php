<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Operations;

use SettlementSdk\Call;
use SettlementSdk\Read;
use SettlementSdk\Sender;
use SettlementSdk\Types;

/** The operations of members. */
final class Members
{
    use \SettlementSdk\Following\Members;

    public function __construct(private readonly Sender $sender)
    {
    }

    /** Makes a member. A repeat with the same external_user_id is the same member. */
    public function create(Types\MemberCreate $body): Types\Member
    {
        return Types\Member::from($this->sender->members(new Call('partner', 'POST', '/partners/members', body: $body)));
    }

    /** Returns a member. */
    public function get(string $external_user_id): Types\Member
    {
        return Types\Member::from($this->sender->members(new Call('partner', 'GET', '/partners/members/{external_user_id}', params: [$external_user_id])));
    }

    /**
     * Reads all members that match, page by page. limit is the page size.
     *
     * @param ?int $limit The most items to return, 1 to 100. The default is 25
     * @param ?string $search Return only items whose name or reference contains this text. Upper and lower case are the same
     * @return \Generator<int, Types\Member>
     */
    public function list(?int $limit = null, ?string $search = null): \Generator
    {
        return $this->sender->walk(new Call('partner', 'GET', '/partners/members', query: ['limit' => $limit, 'search' => $search]), 'header', Types\Member::from(...));
    }

    /** Changes a member. Omitted fields stay as they are; null removes a name or an e-mail address. */
    public function update(string $external_user_id, Types\MemberUpdate $body): Types\Member
    {
        return Types\Member::from($this->sender->members(new Call('partner', 'PUT', '/partners/members/{external_user_id}', params: [$external_user_id], body: $body)));
    }

    /** Returns a member's Safe as the chain has it. */
    public function safe(string $external_user_id): Types\SafeInfo
    {
        return Types\SafeInfo::from($this->sender->members(new Call('partner', 'GET', '/partners/members/{external_user_id}/safe', params: [$external_user_id])));
    }
}
