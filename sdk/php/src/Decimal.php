<?php

declare(strict_types=1);

namespace SettlementSdk;

/** An amount or a rate with the digits that the service wrote. Nothing rounds it. */
final readonly class Decimal implements \Stringable, \JsonSerializable
{
    private const SHAPE = '/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/D';

    /** @throws \InvalidArgumentException if it is no number as JSON writes it */
    public function __construct(public string $digits)
    {
        if (preg_match(self::SHAPE, $digits) !== 1) {
            throw new \InvalidArgumentException("'$digits' is no decimal number");
        }
    }

    /** Takes no float, which may have lost digits already. */
    public static function of(self|string|int $value): self
    {
        return $value instanceof self ? $value : new self((string) $value);
    }

    public function __toString(): string
    {
        return $this->digits;
    }

    /** A text, so that `json_encode` keeps the digits too. Requests send a number. */
    public function jsonSerialize(): string
    {
        return $this->digits;
    }

    /** Returns -1, 0 or 1: whether it is less than the other, the same, or more. */
    public function compare(self|string|int $other): int
    {
        [$one, $two] = [$this->plain(), self::of($other)->plain()];
        if (($one[0] === '-') !== ($two[0] === '-')) {
            return $one[0] === '-' ? -1 : 1;
        }
        $order = self::compareSizes(ltrim($one, '-'), ltrim($two, '-'));
        return $one[0] === '-' ? -$order : $order;
    }

    /** Returns it without an exponent and without idle zeros: 1e-7 is 0.0000001. */
    public function plain(): string
    {
        [$number, $exponent] = explode('e', strtolower($this->digits)) + [1 => '0'];
        [$whole, $fraction] = explode('.', ltrim($number, '-')) + [1 => ''];
        $point = strlen($whole) + (int) $exponent;
        $all = $whole . $fraction;
        if ($point <= 0) {
            $all = str_repeat('0', 1 - $point) . $all;
            $point = 1;
        }
        $all = str_pad($all, $point, '0');
        $plain = ltrim(substr($all, 0, $point), '0') ?: '0';
        $rest = rtrim(substr($all, $point), '0');
        $text = $rest === '' ? $plain : "$plain.$rest";
        return $number[0] === '-' && $text !== '0' ? "-$text" : $text;
    }

    private static function compareSizes(string $one, string $two): int
    {
        [$whole, $fraction] = explode('.', $one) + [1 => ''];
        [$otherWhole, $otherFraction] = explode('.', $two) + [1 => ''];
        $length = max(strlen($fraction), strlen($otherFraction));
        return [strlen($whole), $whole . str_pad($fraction, $length, '0') . '.'] <=> [strlen($otherWhole), $otherWhole . str_pad($otherFraction, $length, '0') . '.'];
    }
}
