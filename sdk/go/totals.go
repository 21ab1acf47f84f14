package settlement

import (
	"math/big"
	"strings"
)

// ExpectedTotal returns the ExpectedTotal with which to confirm a batch, from its Totals: a batch has a total for each
// pair, and two pairs can have the same destination currency. The sums are exact.
func ExpectedTotal(totals []BatchTotal) map[string]Decimal {
	sums := map[string]*big.Rat{}
	for _, total := range totals {
		amount := total.DestinationAmount.Rat()
		if amount == nil {
			amount = new(big.Rat)
		}
		if sum, found := sums[total.DestinationCurrency]; found {
			amount.Add(amount, sum)
		}
		sums[total.DestinationCurrency] = amount
	}
	expected := make(map[string]Decimal, len(sums))
	for currency, sum := range sums {
		expected[currency] = plain(sum)
	}
	return expected
}

// plain writes a sum of decimals with all of its digits. No token has more than 36.
func plain(sum *big.Rat) Decimal {
	text := sum.FloatString(36)
	return Decimal(strings.TrimRight(strings.TrimRight(text, "0"), "."))
}
