<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Everything that this package throws on purpose, but for mistakes in how it is called (\InvalidArgumentException). */
class SettlementException extends \RuntimeException
{
}
