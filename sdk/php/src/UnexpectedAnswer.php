<?php

declare(strict_types=1);

namespace SettlementSdk;

/** An answer lacks what the service promises: it is older than this SDK, or it is not the service. */
final class UnexpectedAnswer extends SettlementException
{
}
