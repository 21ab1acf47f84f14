<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Removes a member that is changed: `new MemberUpdate(email: Remove::It)`. */
enum Remove
{
    case It;
}
