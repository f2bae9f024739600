package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"

	"esnaf/store"
	"esnaf/webhook"
)

// settings are what the program can be told by a flag, by an environment
// variable or by a line of the config file. Every name below is good for all
// three.
type settings struct {
	Data   string
	Config string // the config file; "": DIR/esnaf.yaml where there is one
	JSON   bool

	Listen          string
	Ephemeral, Demo bool
	ReadyFile       string
	Plan            string // of the demo's tenants
	AccessTTL       time.Duration
	WebhookSchedule string
	WebhookAllow    []string
	BehindProxy     []string
	LogFormat       string
	LogLevel        string

	sources map[string]string // where the value of a setting comes from
	foreign []string          // ESNAF_ variables that are no setting, nor look like one
}

// everywhere registers the settings of every command.
func (s *settings) everywhere(f *pflag.FlagSet) {
	f.StringVar(&s.Data, "data", "./esnaf-data", "data folder")
	f.StringVar(&s.Config, "config", "", "config file in YAML (default: esnaf.yaml in the data folder, where there is one)")
	f.BoolVar(&s.JSON, "json", false, "print the result as one line of JSON")
}

// serving registers the settings of the server.
func (s *settings) serving(f *pflag.FlagSet) {
	f.StringVar(&s.Listen, "listen", "127.0.0.1:8080", "address and port to serve on; port 0 takes a free one")
	f.BoolVar(&s.Ephemeral, "ephemeral", false, "use a temporary data folder, removed at the end")
	f.BoolVar(&s.Demo, "demo", false, "fill the data folder with two tenants to try things on; without --data it is an ephemeral one")
	f.StringVar(&s.ReadyFile, "ready-file", "", "file to write address, process id and the demo's logins to (JSON) once the server is ready")
	f.StringVar(&s.Plan, "plan", "unlimited", "plan of the demo's tenants: standard, professional, enterprise or unlimited")
	f.DurationVar(&s.AccessTTL, "access-ttl", 15*time.Minute, "how long an access token is good for")
	f.StringVar(&s.WebhookSchedule, "webhook-schedule", webhook.DefaultSchedule().String(), "when a webhook is tried: at once, then after each of these waits")
	f.StringSliceVar(&s.WebhookAllow, "webhook-allow", nil, "private addresses that webhooks may go to, such as 10.1.0.0/16 (default: none; with --demo 127.0.0.0/8,::1)")
	f.StringSliceVar(&s.BehindProxy, "behind-proxy", nil, "addresses of the proxy that ends TLS before this server, such as 10.0.0.5/32")
	f.StringVar(&s.LogFormat, "log-format", "text", "text or json")
	f.StringVar(&s.LogLevel, "log-level", "info", "debug, info, warn or error")
}

// serverNames are the settings of the server, those of every command among them.
func serverNames() []string {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	var s settings
	s.everywhere(f)
	s.serving(f)
	var names []string
	f.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// layers are the sources of settings beside the flags.
type layers struct {
	env, file *koanf.Koanf
	path      string // of the config file
}

// resolve gives each named setting that no flag sets its value from the
// environment, else from the config file, else leaves its default. The flags
// themselves read the values, so that all sources are spelled and judged alike.
func (s *settings) resolve(f *pflag.FlagSet, names ...string) error {
	s.sources = map[string]string{}
	l := layers{env: koanf.New("."), file: koanf.New(".")}
	if err := l.readEnvironment(); err != nil {
		return err
	}
	var err error
	if s.foreign, err = l.foreign(); err != nil {
		return err
	}
	for _, name := range []string{"config", "data"} { // these tell where the file is
		if err := s.take(f.Lookup(name), &l); err != nil {
			return err
		}
	}
	if err := l.readFile(s.Config, s.Data); err != nil {
		return err
	}
	for _, name := range append(names, "data") {
		if err := s.take(f.Lookup(name), &l); err != nil {
			return err
		}
	}
	if s.Data == "" {
		return usageError(fmt.Sprintf("data (from %s) cannot be empty: it must name a folder", s.sources["data"]))
	}
	return nil
}

// take sets one setting from the best of its sources.
func (s *settings) take(f *pflag.Flag, l *layers) error {
	var value any
	switch {
	case f.Changed:
		s.sources[f.Name] = "flag"
		return nil
	case l.env.Exists(f.Name):
		value, s.sources[f.Name] = l.env.Get(f.Name), variable(f.Name)
	case l.file.Exists(f.Name):
		value, s.sources[f.Name] = l.file.Get(f.Name), l.path
	default:
		s.sources[f.Name] = "default"
		return nil
	}
	text, ok := valueText(value)
	if !ok || f.Value.Set(text) != nil {
		return badValue(fmt.Sprintf("%s (from %s)", f.Name, s.sources[f.Name]), fmt.Sprint(value), f)
	}
	return nil
}

// valueText is a value of a source as its flag would be given it.
func valueText(v any) (string, bool) {
	switch v := v.(type) {
	case []any:
		parts := make([]string, len(v))
		for i, part := range v {
			text, ok := valueText(part)
			if !ok {
				return "", false
			}
			parts[i] = text
		}
		return strings.Join(parts, ","), true
	case string, bool, int, float64:
		return fmt.Sprint(v), true
	}
	return "", false
}

// variable is the environment variable of a setting.
func variable(name string) string {
	return "ESNAF_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// readEnvironment reads the ESNAF_ variables; an empty one counts as not set.
func (l *layers) readEnvironment() error {
	return l.env.Load(env.Provider(".", env.Opt{Prefix: "ESNAF_", TransformFunc: func(name, value string) (string, any) {
		if value == "" {
			return "", nil
		}
		return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "ESNAF_")), "_", "-"), value
	}}), nil)
}

// foreign are the variables that are no setting. They may be meant for others (where
// there is a service of this name Kubernetes sets ESNAF_SERVICE_HOST); but one that is
// almost a setting would be a slip of the pen that nobody notices, and is refused.
func (l *layers) foreign() (names []string, err error) {
	known := []string{passwordVariable, masterPasswordVariable}
	for _, name := range serverNames() {
		known = append(known, variable(name))
	}
	var slips []string
	for _, key := range l.env.Keys() {
		name := variable(key)
		if slices.Contains(known, name) {
			continue
		}
		names = append(names, name)
		for _, k := range known {
			if typos(name, k) <= min(2, (len(k)-len("ESNAF_")+2)/4) { // one in a short word
				slips = append(slips, fmt.Sprintf("%s is not a setting: did you mean %s?", name, k))
			}
		}
	}
	if slips != nil {
		return nil, usageError(strings.Join(slips, "; ") + " esnaf config lists the settings")
	}
	return names, nil
}

// typos is how many letters are to be put in, left out or changed to make b of a.
func typos(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}

// readFile reads the config file: the one that was named, or the one in the data
// folder where there is one. A line that is no setting is refused, for it would
// be a slip of the pen that nobody notices.
func (l *layers) readFile(named, dir string) error {
	known := slices.DeleteFunc(serverNames(), func(name string) bool { return name == "config" || name == "data" && named == "" })
	if l.path = named; named == "" {
		l.path = filepath.Join(dir, "esnaf.yaml")
		if _, err := os.Stat(l.path); err != nil {
			return nil // a folder that cannot be looked into is told of when it is opened
		}
	}
	if err := l.file.Load(file.Provider(l.path), yaml.Parser()); err != nil {
		return usageError(fmt.Sprintf("the config file %s cannot be read: %s", l.path, unreadable(err)))
	}
	for _, key := range l.file.Keys() {
		if !slices.Contains(known, key) {
			return usageError(fmt.Sprintf("%s: %s is not a setting here; settings are %s", l.path, key, strings.Join(known, ", ")))
		}
	}
	return nil
}

// unreadable says why a config file cannot be read without the words of the parser.
func unreadable(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return store.Trouble(path).Error()
	}
	if twice := regexp.MustCompile(`line (\d+): mapping key "(.*)" already defined at line (\d+)`).FindStringSubmatch(err.Error()); twice != nil {
		return fmt.Sprintf("%s is given twice, in lines %s and %s", twice[2], twice[3], twice[1])
	}
	if kind := regexp.MustCompile(`cannot unmarshal !!(\w+)`).FindStringSubmatch(err.Error()); kind != nil {
		is := cmp.Or(map[string]string{"seq": "a list"}[kind[1]], "one value")
		return "it holds " + is + ", and must hold lines such as listen: 127.0.0.1:8080"
	}
	if line := regexp.MustCompile(`line \d+`).FindString(err.Error()); line != "" {
		return "it is not YAML; look at " + line
	}
	return "it is not YAML"
}
