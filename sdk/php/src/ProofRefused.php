<?php

declare(strict_types=1);

namespace SettlementSdk;

/** A proof that is not genuine. */
final class ProofRefused extends SettlementException
{
}
