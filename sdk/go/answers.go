package settlement

import (
	"context"
	"encoding/json"
	"fmt"
)

// callOne reads an answer as one object.
func callOne[T any](ctx context.Context, s *sender, c call) (*T, error) {
	found, err := s.send(ctx, c)
	if err != nil {
		return nil, err
	}
	return read[T](found.body)
}

// callEach reads an answer that is a list.
func callEach[T any](ctx context.Context, s *sender, c call) ([]T, error) {
	found, err := callOne[[]T](ctx, s, c)
	if err != nil {
		return nil, err
	}
	return *found, nil
}

// callData reads an answer whose data is a list.
func callData[T any](ctx context.Context, s *sender, c call) ([]T, error) {
	found, err := callOne[struct{ Data []T }](ctx, s, c)
	if err != nil {
		return nil, err
	}
	return found.Data, nil
}

// callNone reads nothing.
func callNone(ctx context.Context, s *sender, c call) error {
	_, err := s.send(ctx, c)
	return err
}

func read[T any](body []byte) (*T, error) {
	into := new(T)
	if err := json.Unmarshal(body, into); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}
	return into, nil
}
