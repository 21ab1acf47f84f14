<?php

declare(strict_types=1);

namespace SettlementSdk;

/** No answer came after all attempts: it is unknown whether anything happened. Repeating the call is safe. */
final class Unanswered extends SettlementException
{
}
