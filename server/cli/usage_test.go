package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWrongUsage gives the program what it must refuse: one line on standard
// error, the exit code that --help promises, and nothing left behind.
func TestWrongUsage(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) // the rows run after this function has returned
	rows := []struct {
		name string
		args string
		env  string
		file string // esnaf.yaml in the working folder, named by --config
		code int
		says string // parted by |
	}{
		{name: "unknown command", args: "sell", code: 2, says: `unknown command "sell"`},
		{name: "unknown subcommand", args: "tenant sell", code: 2, says: `unknown command "sell" for "esnaf tenant"`},
		{name: "unknown flag", args: "serve --colour red", code: 2, says: "unknown flag: --colour"},
		{name: "flag without value", args: "serve --listen", code: 2, says: "--listen"},
		{name: "argument too many", args: "serve now", code: 2, says: "now"},
		{name: "no subcommand", args: "document", code: 2, says: "say what to do: esnaf document settle; esnaf document --help tells more"},
		{name: "none of several", args: "tenant --json", code: 2, says: "say what to do: esnaf tenant create, esnaf tenant list, esnaf tenant plan"},
		{name: "no document named", args: "document settle --as taken", code: 2, says: "name one invoice or shipment by its id"},
		{name: "a document of what has none", args: "document settle cmp_x --as taken", code: 2, says: `"cmp_x" is no invoice (inv_...) and no shipment (shp_...): only these have documents`},
		{name: "no kind to import", args: "import nothing", code: 2, says: `unknown command "nothing" for "esnaf import": there are esnaf import companies, esnaf import contacts, esnaf import products`},
		{name: "no kind to import, with flags", args: "import nothing x.csv --tenant ten_x", code: 2, says: `unknown command "nothing" for "esnaf import": there are esnaf import companies, `},
		{name: "unknown command with a flag", args: "sell --name A", code: 2, says: `unknown command "sell" for "esnaf": there are esnaf check, `},
		{name: "a flag of nothing", args: "--name A", code: 2, says: "unknown flag: --name"},
		{name: "no key named", args: "key revoke", code: 2, says: "name one key by its id"},
		{name: "bad flag", args: "serve --access-ttl soon", code: 2, says: `--access-ttl cannot be "soon": it must be a duration`},
		{name: "bad number", args: "key create --rate fast", code: 2, says: `--rate cannot be "fast": it must be a whole number`},
		{name: "bad variable", args: "serve", env: "ESNAF_DEMO=perhaps", code: 2, says: `demo (from ESNAF_DEMO) cannot be "perhaps": it must be true or false`},
		{name: "bad line", args: "serve --config esnaf.yaml", file: "access-ttl: [1, 2]", code: 2, says: "access-ttl (from esnaf.yaml)"},
		{name: "map for a text", args: "serve --config esnaf.yaml", file: "listen:\n  host: x", code: 2, says: "listen.host is not a setting"},
		{name: "unknown line", args: "serve --config esnaf.yaml", file: "lisen: x", code: 2, says: "lisen is not a setting"},
		{name: "a line twice", args: "serve --config esnaf.yaml", file: "listen: 127.0.0.1:0\ndemo: true\nlisten: 127.0.0.1:1\n", code: 2, says: "esnaf.yaml cannot be read: listen is given twice, in lines 1 and 3"},
		{name: "a list", args: "serve --config esnaf.yaml", file: "- listen: 127.0.0.1:0\n", code: 2, says: "it holds a list, and must hold lines such as listen: 127.0.0.1:8080"},
		{name: "a word", args: "serve --config esnaf.yaml", file: "listen\n", code: 2, says: "it holds one value, and must hold lines such as listen: 127.0.0.1:8080"},
		{name: "misspelt variable", args: "serve", env: "ESNAF_LISTNE=127.0.0.1:0", code: 2, says: "ESNAF_LISTNE is not a setting: did you mean ESNAF_LISTEN? esnaf config lists the settings"},
		{name: "misspelt variable of a command", args: "tenant list", env: "ESNAF_DATE=there", code: 2, says: "did you mean ESNAF_DATA?"},
		{name: "misspelt variable of a password", args: "tenant list", env: "ESNAF_MASTERPASSWORD=x", code: 2, says: "did you mean ESNAF_MASTER_PASSWORD?"},
		{name: "a plan for no demo", args: "serve --plan standard", code: 2, says: "plan (from flag) is that of the demo's tenants"},
		{name: "a plan for no demo, by variable", args: "config", env: "ESNAF_PLAN=standard", code: 2, says: "plan (from ESNAF_PLAN) is that of the demo's tenants"},
		{name: "broken file", args: "serve --config esnaf.yaml", file: "listen: [", code: 2, says: "esnaf.yaml cannot be read: it is not YAML; look at line"},
		{name: "config refuses what serve does", args: "config --config esnaf.yaml", file: "listen: 23", code: 2, says: "listen cannot be \"23\""},
		{name: "no file", args: "serve --config other.yaml", code: 2, says: "other.yaml cannot be read: there is no such file or folder"},
		{name: "no file, by variable", args: "tenant list", env: "ESNAF_CONFIG=other.yaml", code: 2, says: "other.yaml cannot be read"},
		{
			name: "many values", args: "serve --plan gold --log-format xml --log-level loud --access-ttl 0s --webhook-schedule never --webhook-allow here --behind-proxy me --listen nowhere", code: 2,
			says: "plan cannot|log-format cannot|log-level cannot|access-ttl cannot|webhook-schedule|webhook-allow|behind-proxy cannot|listen cannot",
		},
		{name: "plain HTTP for all", args: "serve --listen 0.0.0.0:0", code: 2, says: "name its address with --behind-proxy"},
		{name: "plain HTTP for all, IPv6", args: "serve --listen [::]:0", code: 2, says: "--behind-proxy"},
		{name: "no host", args: "serve --listen :0", code: 2, says: "--behind-proxy"},
		{name: "two folders", args: "serve --ephemeral --data there", code: 2, says: "leave out either it or data (from flag)"},
		{name: "two passwords", args: "tenant create --master-password a --master-password-file b", code: 2, says: "not both"},
		{name: "no password file", args: "user create --password-file none", code: 2, says: "--password-file cannot be read"},
		{
			name: "faults by flag", args: "tenant create --series-export EFA --tax-number 1 --default-profile X", code: 2,
			says: "--name is|--tax-number must|--default-profile cannot|--series-export must|--master-email is|--master-password is",
		},
		{name: "no port to receive at", args: "listen --address foo", code: 2, says: `--address cannot be "foo": it must be an address and a port`},
		{name: "no such port", args: "listen --address 127.0.0.1:99999", code: 2, says: `--address cannot be "127.0.0.1:99999"`},
		{name: "no address", args: "listen --address=", code: 2, says: `--address cannot be ""`},
		{name: "no webhook's secret", args: "listen --secret short", code: 2, says: "--secret cannot have 5 bytes: it must be the secret of a webhook, which has 16 to 256"},
		{name: "no address to serve on", args: "serve --listen=", code: 2, says: `listen cannot be ""`},
		{name: "ready file nowhere", args: "serve --listen 127.0.0.1:0 --ready-file none/ready", code: 2, says: `ready-file cannot be "none/ready": it must be a file in a folder that is there`},
		{name: "folder for a ready file", args: "config --ready-file .", code: 2, says: `ready-file cannot be ".": it must be a file`},
		{name: "data without a name", args: "tenant list --data=", code: 2, says: "data (from flag) cannot be empty"},
		{name: "bad switch", args: "repair stock --apply=perhaps", code: 2, says: `--apply cannot be "perhaps": it must be true or false`},
		{name: "bad switch of all", args: "check --json=perhaps", code: 2, says: `--json cannot be "perhaps": it must be true or false`},
		{name: "no data yet", args: "tenant list", code: 1, says: "begin with esnaf tenant create"},
		{name: "receiver's port in use", args: "listen --address " + taken.Addr().String(), code: 1, says: "nothing can be received at " + taken.Addr().String() + ": another program uses this address"},
		{name: "port in use", args: "serve --listen " + taken.Addr().String(), code: 1, says: "another program uses this address"},
		{name: "folder below a file", args: "serve --listen 127.0.0.1:0 --data /dev/null/x", code: 1, says: "data folder"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			cmd := program(t, strings.Fields(row.args)...)
			if row.env != "" {
				cmd.Env = append(cmd.Env, row.env)
			}
			if row.file != "" {
				if err := os.WriteFile(filepath.Join(cmd.Dir, "esnaf.yaml"), []byte(row.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := run(t, cmd)
			if r.code != row.code || r.out != "" || strings.Count(r.errors, "\n") != 1 || !strings.HasPrefix(r.errors, "esnaf: ") {
				t.Errorf("exit code %d (want %d), output %q, errors %q (want one line)", r.code, row.code, r.out, r.errors)
			}
			for w := range strings.SplitSeq(row.says, "|") {
				if !strings.Contains(r.errors, w) {
					t.Errorf("%q does not say %q", r.errors, w)
				}
			}
			for _, name := range entries(t, cmd.Dir) {
				// A first tenant that is refused finds its folder made and empty.
				if name != "esnaf.yaml" && row.name != "faults by flag" {
					t.Errorf("left behind: %s", name)
				}
			}
		})
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for args, says := range map[string]string{
		"":                   "Exit codes: 0 done",
		"check --help":       "Exit code 4",
		"--help":             "3 data folder in use",
		"tenant --help":      "create",
		"document --help":    "settle",
		"serve --help":       "immediate,5s,5m,30m,2h,5h,10h,14h,20h,24h",
		"key create --help":  "cashAccount:export",
		"help key create":    "its statement takes invoices:read, bank:read and cashAccount:read as well",
		"key rescope --help": "as in companies:read,invoices:*,*:export, or the one word all;",
		"tenant create -h":   "--sender-alias",
		"help user password": "--password-file",
		"version":            "esnaf " + "0.1.0",
	} {
		if r := run(t, program(t, strings.Fields(args)...)); r.code != 0 || !strings.Contains(r.out, says) || r.errors != "" {
			t.Errorf("esnaf %s: exit code %d, errors %q, and not %q in %s", args, r.code, r.errors, says, r.out)
		}
	}
	if v := esnafJSON(t, "version"); v["version"] != "0.1.0" || v["go"] == "" {
		t.Errorf("version is %v", v)
	}
}

// What a document is settled as is told where it is left out.
func TestSettledAsNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	tenant := createTenant(t, dir)
	r := run(t, program(t, "document", "settle", "inv_1", "--tenant", tenant, "--data", dir))
	if r.code != 2 || r.errors != "esnaf: --as is required. Say taken or refused.\n" {
		t.Errorf("%+v", r)
	}
}

// TestSources sets one setting in every place and takes one away after another.
func TestSources(t *testing.T) {
	t.Parallel()
	config := func(env, file string, args ...string) map[string][2]string {
		t.Helper()
		cmd := program(t, append([]string{"config", "--json"}, args...)...)
		if env != "" {
			cmd.Env = append(cmd.Env, strings.Fields(env)...)
		}
		if file != "" {
			if err := os.Mkdir(filepath.Join(cmd.Dir, "esnaf-data"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(cmd.Dir, "esnaf-data/esnaf.yaml"), []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return settingsOf(t, run(t, cmd))
	}
	const file = "listen: 127.0.0.1:3\nwebhook-allow: [10.0.0.0/8, 10.1.0.0/16]\ndemo: true\naccess-ttl: 20m\n"
	for _, row := range []struct {
		env, file string
		args      []string
		want      map[string][2]string // value and source
	}{
		{"ESNAF_LISTEN=127.0.0.1:2", file, []string{"--listen", "127.0.0.1:1"}, map[string][2]string{"listen": {"127.0.0.1:1", "flag"}}},
		{"ESNAF_LISTEN=127.0.0.1:2", file, nil, map[string][2]string{"listen": {"127.0.0.1:2", "ESNAF_LISTEN"}, "demo": {"true", "esnaf-data/esnaf.yaml"}}},
		{"ESNAF_LISTEN=", file, nil, map[string][2]string{
			"listen": {"127.0.0.1:3", "esnaf-data/esnaf.yaml"}, "webhook-allow": {"10.0.0.0/8,10.1.0.0/16", "esnaf-data/esnaf.yaml"}, "access-ttl": {"20m0s", "esnaf-data/esnaf.yaml"},
		}},
		{"", "", nil, map[string][2]string{"listen": {"127.0.0.1:8080", "default"}, "data": {"./esnaf-data", "default"}}},
		{"ESNAF_DATA=elsewhere ESNAF_ACCESS_TTL=1h ESNAF_UBL_KIT=x", file, nil, map[string][2]string{"listen": {"127.0.0.1:8080", "default"}, "data": {"elsewhere", "ESNAF_DATA"}, "access-ttl": {"1h0m0s", "ESNAF_ACCESS_TTL"}}},
		{"", "# nothing\n", []string{"--demo=false", "--webhook-allow", "10.0.0.1", "--webhook-allow", "10.0.0.2"}, map[string][2]string{"demo": {"false", "flag"}, "webhook-allow": {"10.0.0.1,10.0.0.2", "flag"}}},
	} {
		got := config(row.env, row.file, row.args...)
		for name, want := range row.want {
			if got[name] != want {
				t.Errorf("%s %v: %s is %v, want %v", row.env, row.args, name, got[name], want)
			}
		}
	}
	cmd := program(t, "config", "--config", "my.yaml", "--json")
	if err := os.WriteFile(filepath.Join(cmd.Dir, "my.yaml"), []byte("data: there\njson: false"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := settingsOf(t, run(t, cmd)); got["data"] != [2]string{"there", "my.yaml"} || got["json"] != [2]string{"true", "flag"} {
		t.Errorf("with --config: %v", got)
	}
}

// TestBusyFolder holds the lock as a server would that does not answer.
func TestBusyFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	createTenant(t, dir)
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"tenant", "list"}, {"serve", "--listen", "127.0.0.1:0"}} {
		if r := run(t, program(t, append(args, "--data", dir)...)); r.code != 3 || !strings.Contains(r.errors, "in use by another esnaf") || strings.Count(r.errors, "\n") != 1 {
			t.Errorf("%v on a busy folder: %+v, want exit code 3", args, r)
		}
	}
}
