<?php

declare(strict_types=1);

namespace SettlementSdk;

/** The version of this SDK, which is the service's that it was released with. */
final class Version
{
    public const VERSION = '1.1.0';
}
