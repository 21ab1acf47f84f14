package settlement

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
)

// Decimal is an amount or a rate with the digits that the service wrote. Nothing rounds it. Compare and calculate with
// Rat; write one in a request as a text: settlement.Decimal("76.318904").
type Decimal string

var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$`)

// Rat returns the exact value. An invalid or empty text is nil.
func (d Decimal) Rat() *big.Rat {
	if !jsonNumber.MatchString(string(d)) {
		return nil
	}
	value, _ := new(big.Rat).SetString(string(d))
	return value
}

// MarshalJSON writes the digits as a JSON number.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if !jsonNumber.MatchString(string(d)) {
		return nil, fmt.Errorf("%q is no decimal number", string(d))
	}
	return []byte(d), nil
}

// UnmarshalJSON keeps the digits of a JSON number.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	if !jsonNumber.Match(text) {
		return fmt.Errorf("%s is no number", text)
	}
	*d = Decimal(text)
	return nil
}

// Nullable is a member of a change that may also be removed. A nil pointer to it leaves the member as it is.
type Nullable[T any] struct {
	value *T
}

// Value sets a member to that value.
func Value[T any](value T) *Nullable[T] {
	return &Nullable[T]{&value}
}

// Null removes a member.
func Null[T any]() *Nullable[T] {
	return &Nullable[T]{}
}

// MarshalJSON writes the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	return json.Marshal(n.value)
}

// Pointer returns a pointer to the value, for members that may be left out.
func Pointer[T any](value T) *T {
	return &value
}
