from decimal import Decimal
from typing import Dict, Iterable, Mapping


def expected_total(totals: Iterable[Mapping[str, object]]) -> Dict[str, float]:
    """The `expected_total` with which to confirm a batch, from its `totals`: a batch has a total for each pair, and two pairs can have the same
    destination currency. The sums are exact."""
    sums: Dict[str, Decimal] = {}
    for total in totals:
        currency = str(total["destination_currency"])
        # The shortest text of a float has the digits that the service wrote.
        sums[currency] = sums.get(currency, Decimal(0)) + Decimal(str(total["destination_amount"]))
    return {currency: float(each) for currency, each in sums.items()}
