// Package settlement is a client of the settlement service. It signs requests, retries them safely, keeps the
// service's time, and verifies callbacks and events. It needs only the standard library.
//
// New makes a Client. Its methods are grouped by subject: Client.Settlements, Client.Batches, Client.Withdrawals and so
// on. Every type in types.go and every operation in methods.go is generated from the service's OpenAPI documents.
//
// Errors that the service answers are *Refused, with a code and a request id. *Unanswered means that an answer was lost:
// call again. Amounts are Decimal or int64, and nothing rounds them.
package settlement
