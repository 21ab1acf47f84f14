<?php

declare(strict_types=1);

namespace SettlementSdk;

/** The `expected_total` with which to confirm a batch. */
final class ExpectedTotal
{
    /**
     * Adds the totals of a batch by currency: a batch has a total for each pair, and two pairs can have the same destination
     * currency. The sums are exact.
     *
     * @param list<Types\BatchTotal> $totals
     * @return array<string, Decimal>
     */
    public static function of(array $totals): array
    {
        $sums = [];
        foreach ($totals as $total) {
            $sums[$total->destination_currency] = self::plus($sums[$total->destination_currency] ?? '0', $total->destination_amount->plain());
        }
        return array_map(static fn (string $sum): Decimal => new Decimal((new Decimal($sum))->plain()), $sums);
    }

    /** Adds as one does on paper: amounts have more digits than an int. None is negative. */
    private static function plus(string $one, string $other): string
    {
        [$whole, $fraction] = explode('.', $one) + [1 => ''];
        [$otherWhole, $otherFraction] = explode('.', $other) + [1 => ''];
        $digits = max(strlen($fraction), strlen($otherFraction));
        $length = max(strlen($whole), strlen($otherWhole)) + 1;
        $one = str_pad($whole, $length, '0', STR_PAD_LEFT) . str_pad($fraction, $digits, '0');
        $other = str_pad($otherWhole, $length, '0', STR_PAD_LEFT) . str_pad($otherFraction, $digits, '0');
        $sum = '';
        for ($place = strlen($one) - 1, $carry = 0; $place >= 0; $place--) {
            $column = (int) $one[$place] + (int) $other[$place] + $carry;
            $sum = $column % 10 . $sum;
            $carry = intdiv($column, 10);
        }
        $whole = ltrim(substr($sum, 0, $length), '0') ?: '0';
        return $digits === 0 ? $whole : "$whole." . substr($sum, $length);
    }
}
