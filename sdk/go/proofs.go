package settlement

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Proof is a signed quote or receipt that is genuine.
type Proof struct {
	// quote, or receipt of what was paid
	Type string
	// The key that signed
	KID string
	// Texts, json.Number and nil. Amounts are texts in base units, so that nothing rounds them
	Claims map[string]any
}

var proofTypes = map[string]string{"settlement-quote+jws": "quote", "settlement-receipt+jws": "receipt"}

// VerifyProof returns the content of a proof, if one of these keys signed it, and a *ProofRefused otherwise. `keys` are
// those of Client.PublicKeys, or a stored copy. `issuer` is the expected issuer, which is the service's address; empty:
// any.
func VerifyProof(proof string, keys PublicKeys, issuer string) (*Proof, error) {
	parts := strings.Split(strings.TrimSpace(proof), ".")
	if len(parts) != 3 {
		return nil, &ProofRefused{"it is no proof: three parts of base64url with points between"}
	}
	header, claims := membersOf(parts[0]), membersOf(parts[1])
	signature, isWhole := fromBase64URL(parts[2])
	if header == nil || claims == nil || !isWhole {
		return nil, &ProofRefused{"it is no proof: three parts of base64url with points between"}
	}
	typ, _ := header["typ"].(string)
	kid, _ := header["kid"].(string)
	if header["alg"] != "EdDSA" || proofTypes[typ] == "" {
		return nil, &ProofRefused{"it is a signed text of another kind"}
	}
	key := proofKey(keys, kid)
	if key == nil {
		return nil, &ProofRefused{"no key of this issuer is called " + kid}
	}
	if !ed25519.Verify(key, []byte(parts[0]+"."+parts[1]), signature) {
		return nil, &ProofRefused{"the signature is not of these words: something was changed, or another key signed"}
	}
	if issuer != "" && claims["iss"] != issuer {
		return nil, &ProofRefused{"it is of another issuer"}
	}
	return &Proof{proofTypes[typ], kid, claims}, nil
}

func proofKey(keys PublicKeys, kid string) ed25519.PublicKey {
	for _, one := range keys.Keys {
		if one.Kid == kid && one.Purpose != "callbacks" && one.Crv == "Ed25519" {
			if key, isWhole := fromBase64URL(one.X); isWhole && len(key) == ed25519.PublicKeySize {
				return key
			}
		}
	}
	return nil
}

var base64url = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// fromBase64URL reads only the canonical form.
func fromBase64URL(text string) ([]byte, bool) {
	if !base64url.MatchString(text) {
		return nil, false
	}
	found, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return found, err == nil
}

func membersOf(part string) map[string]any {
	text, isWhole := fromBase64URL(part)
	if !isWhole || !utf8.Valid(text) || !json.Valid(text) {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var members map[string]any
	if decoder.Decode(&members) != nil {
		return nil
	}
	return members
}
