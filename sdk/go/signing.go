package settlement

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// SignedParts are what a signature covers. Query is without its question mark, Path and Query as they are sent.
type SignedParts struct {
	Timestamp, Method, Path, Query string
	Body                           []byte
}

// SigningBytes returns the bytes that are signed.
func SigningBytes(parts SignedParts) []byte {
	head := strings.Join([]string{parts.Timestamp, parts.Method, parts.Path, parts.Query, ""}, "\n")
	return append([]byte(head), parts.Body...)
}

// SignRequest returns the lower-case hex HMAC-SHA256 of a request, or of a callback's mirrored signature.
func SignRequest(secret string, parts SignedParts) string {
	return hex.EncodeToString(mac([]byte(secret), SigningBytes(parts)))
}

func mac(key, message []byte) []byte {
	sum := hmac.New(sha256.New, key)
	sum.Write(message)
	return sum.Sum(nil)
}

func random(count int) []byte {
	bytes := make([]byte, count)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return bytes
}

// newNonce returns a random UUID, version 4.
func newNonce() string {
	b := random(16)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}
