package main

import (
	"os"
	"strings"

	"settlement.example/go/settlement"
)

// Settings are the settings of the file .env: NAME=value, one in each line.
type Settings map[string]string

// ReadSettings reads the file .env.
func ReadSettings() (Settings, error) {
	text, err := os.ReadFile(".env")
	if err != nil {
		return nil, err
	}
	settings := Settings{}
	for _, line := range strings.Split(string(text), "\n") {
		if name, value, found := strings.Cut(line, "="); found {
			settings[name] = value
		}
	}
	return settings, nil
}

// Client is the client of your partner.
func (settings Settings) Client() (*settlement.Client, error) {
	return settlement.New(settlement.Options{
		BaseURL:   settings["SETTLEMENT_URL"],
		APIKey:    settings["API_KEY"],
		APISecret: settings["API_SECRET"],
		Brand:     settings["BRAND"],
	})
}
