package sign_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"esnaf/webhook/sign"
)

// TestOpenSSLAgrees computes the usual signature with openssl (ACCEPTANCE W2).
func TestOpenSSLAgrees(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not on this machine: the signature is not compared with it")
	}
	for name, body := range bodies {
		cmd := exec.Command(openssl, "dgst", "-sha256", "-hmac", secret)
		cmd.Stdin = strings.NewReader(sign.Timestamp(sent) + "." + body)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(string(out)) // "SHA2-256(stdin)= 0123..."
		if got, want := fields[len(fields)-1], sign.Sum(secret, sent, []byte(body)); got != want {
			t.Errorf("%s: openssl says %s, Sum %s", name, got, want)
		}
	}
}

// nodeScript signs as a receiver's author would write it from the reference.
const nodeScript = `
const {createHmac} = require('crypto');
const rows = JSON.parse(require('fs').readFileSync(0));
const mac = (key, head, body) => createHmac('sha256', key).update(head).update(body);
console.log(JSON.stringify(rows.map(({secret, id, timestamp, body}) => {
  body = Buffer.from(body, 'base64');
  const usual = mac(secret, timestamp + '.', body);
  const withID = mac(secret, id + '.' + timestamp + '.', body);
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  return [usual.digest('hex'), 'v1=' + withID.digest('hex'), mac(secret, '', body).digest('base64'),
    'v1,' + mac(key, id + '.' + timestamp + '.', body).digest('base64')];
})));`

// TestNodeAgrees computes every content, and the Standard Webhooks header, with
// node's crypto.
func TestNodeAgrees(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on this machine: the signatures are not compared with its crypto")
	}
	type row struct {
		Secret    string `json:"secret"`
		ID        string `json:"id"`
		Timestamp string `json:"timestamp"`
		Body      string `json:"body"`
	}
	var rows []row
	var want [][4]string
	for _, body := range bodies {
		for _, key := range []string{secret, "gizli anahtar: ığüşöçİ"} {
			m := sign.Message{ID: "evt_01", Timestamp: sign.Timestamp(sent), Body: []byte(body)}
			rows = append(rows, row{key, m.ID, m.Timestamp, base64.StdEncoding.EncodeToString(m.Body)})
			want = append(want, [4]string{
				sign.Sum(key, sent, m.Body),
				sign.Scheme{Format: sign.V1Hex, Content: sign.IDTimestampBody}.Sign(m, key),
				sign.Scheme{Format: sign.Base64, Content: sign.Body}.Sign(m, key),
				sign.Standard(m, key),
			})
		}
	}
	in, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", nodeScript)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var got [][4]string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("row %d: node says %v, sign %v", i, got[i], want[i])
		}
	}
}
