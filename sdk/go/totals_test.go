package settlement

import (
	"reflect"
	"testing"
)

func TestTotalsOfPairsWithTheSameDestinationCurrencyAreAddedExactly(t *testing.T) {
	total := func(currency string, amount Decimal) BatchTotal {
		return BatchTotal{DestinationCurrency: currency, DestinationAmount: amount}
	}
	totals := []BatchTotal{total("USDT", "0.1"), total("USDC", "1070.623717"), total("USDT", "0.2"), total("USDT", "5"), total("DAI", "10"), total("DAI", "1e-7")}
	expected := map[string]Decimal{"USDT": "5.3", "USDC": "1070.623717", "DAI": "10.0000001"}
	if found := ExpectedTotal(totals); !reflect.DeepEqual(found, expected) {
		t.Fatalf("%v, not %v", found, expected)
	}
}
