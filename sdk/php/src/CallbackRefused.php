<?php

declare(strict_types=1);

namespace SettlementSdk;

/** A callback or an event that is not genuine. Answer it with 400, and do nothing else. */
final class CallbackRefused extends SettlementException
{
}
