package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/webhook/sign"
)

// maxDelivery is the largest delivery the receiver reads; the server sends at
// most a quarter of it.
const maxDelivery = 1 << 20

// receive is a receiver of webhooks for whoever tries things out: it prints what
// arrives and, where it has the secret, whether the signature is right.
func (c *console) receive() *cobra.Command {
	var addr, secret string
	cmd := c.command("listen", "Receive webhooks and print them, until ctrl-C", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		if err := c.settings.resolve(cmd.Flags(), "json"); err != nil {
			return err
		}
		at, err := address("--address", addr)
		if err != nil {
			return usageError(err.Error())
		}
		if n := len(secret); secret != "" && (n < trade.MinSecret || n > trade.MaxSecret) {
			return usageError(fmt.Sprintf("--secret cannot have %d bytes: it must be the secret of a webhook, which has %d to %d", n, trade.MinSecret, trade.MaxSecret))
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		ln, err := net.ListenTCP("tcp", at)
		if err != nil {
			return fmt.Errorf("nothing can be received at %s: %w", addr, store.Trouble(err))
		}
		c.note("waiting for webhooks at http://%s/", ln.Addr())
		srv := &http.Server{Handler: c.receiver(secret), ReadHeaderTimeout: 10 * time.Second}
		context.AfterFunc(ctx, func() { srv.Close() })
		if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	cmd.Flags().StringVar(&addr, "address", "127.0.0.1:9000", "address to receive at")
	cmd.Flags().StringVar(&secret, "secret", "", "secret that the webhook was registered with (default: signatures are not checked)")
	return cmd
}

// arrived is one delivery as printed with --json.
type arrived struct {
	Event     string `json:"event"`
	ID        string `json:"id"`
	Attempt   string `json:"attempt"`
	Signature string `json:"signature"`
	Bytes     int    `json:"bytes"`
}

// receiver accepts rightly signed deliveries and refuses the others; without a secret it
// accepts all.
func (c *console) receiver(secret string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.Error(w, "webhooks come by POST", http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivery))
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		h := r.Header
		a := arrived{Event: h.Get("X-Svc-Event"), ID: h.Get("X-Svc-Event-Id"), Attempt: h.Get("X-Svc-Attempt"), Signature: "not checked (no --secret)", Bytes: len(body)}
		if secret != "" {
			a.Signature = "right"
			if err := sign.Check(secret, h.Get("X-Svc-Signature"), h.Get("X-Svc-Timestamp"), body, clock.System{}.Now()); err != nil {
				a.Signature = err.Error()
				http.Error(w, "the signature is not accepted", http.StatusUnauthorized)
			}
		}
		if c.settings.JSON {
			err = json.MarshalWrite(c.out, a)
		} else {
			_, err = fmt.Fprintf(c.out, "%-20s attempt %s, signature %s\n  %s", a.Event, a.Attempt, a.Signature, body)
		}
		if err == nil {
			_, err = io.WriteString(c.out, "\n")
		}
		if err != nil {
			c.note("a delivery could not be printed: %v", store.Trouble(err))
		}
	})
}
