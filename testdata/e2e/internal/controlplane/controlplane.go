// Package controlplane runs the control plane that users of a provider have: etcd,
// kube-apiserver and Crossplane, on loopback, from their modules' sources.
package controlplane

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/process"
)

// Names of the servers, and of their logs.
const (
	Etcd       = "etcd"
	APIServer  = "kube-apiserver"
	Crossplane = "crossplane"
)

// startTimeout is how long a server may take until it is ready.
const startTimeout = 2 * time.Minute

// token is what the one user of the API server says to be let in.
const token = "e2e"

// A ControlPlane is a running control plane.
type ControlPlane struct {
	folder string
	group  *process.Group
	ports  ports
	config *rest.Config
}

// ports are the ports that the servers listen on.
type ports struct{ etcd, etcdPeer, apiserver, probes, metrics int }

// Start starts etcd, kube-apiserver and Crossplane, with its CRDs. It returns when
// they are ready. Servers that are not in the cache are built first, which is told
// to the writer.
func Start(ctx context.Context, progress io.Writer) (*ControlPlane, error) {
	c, err := StartAPIServer(ctx, progress)
	if err != nil {
		return nil, err
	}
	if err := c.startCrossplane(progress); err != nil {
		return nil, c.abort(err)
	}
	return c, nil
}

// StartAPIServer starts etcd and kube-apiserver only.
func StartAPIServer(ctx context.Context, progress io.Writer) (*ControlPlane, error) {
	folder, err := os.MkdirTemp("", "mrgen-e2e-")
	if err != nil {
		return nil, err
	}
	c := &ControlPlane{folder: folder, group: process.NewGroup(ctx, folder)}
	for _, start := range []func(io.Writer) error{c.prepare, c.startEtcd, c.startAPIServer} {
		if err := start(progress); err != nil {
			return nil, c.abort(err)
		}
	}
	return c, nil
}

// Context is done when the control plane is no longer whole. Its cause then names
// the server that has ended, and shows the end of its log.
func (c *ControlPlane) Context() context.Context { return c.group.Context() }

// Config returns the configuration of clients that may do everything.
func (c *ControlPlane) Config() *rest.Config { return rest.CopyConfig(c.config) }

// PID returns the process ID of a server.
func (c *ControlPlane) PID(name string) int { return c.group.PID(name) }

// Folder is the folder with the data and the logs of the servers.
func (c *ControlPlane) Folder() string { return c.folder }

// Stop kills the servers and returns when they are gone. What they have written stays
// in the folder.
func (c *ControlPlane) Stop() { c.group.Stop() }

// Remove removes the folder of a control plane that is stopped.
func (c *ControlPlane) Remove() error { return os.RemoveAll(c.folder) }

// abort gives up a control plane that could not be started.
func (c *ControlPlane) abort(err error) error {
	c.Stop()
	return fmt.Errorf("%w\nsee the logs in %s", err, c.folder)
}

// prepare chooses the ports and writes the files that the servers need.
func (c *ControlPlane) prepare(io.Writer) error {
	if err := freePorts(&c.ports.etcd, &c.ports.etcdPeer, &c.ports.apiserver, &c.ports.probes, &c.ports.metrics); err != nil {
		return err
	}
	if err := writeCertificate(c.folder); err != nil {
		return err
	}
	c.config = &rest.Config{
		Host:            fmt.Sprintf("https://127.0.0.1:%d", c.ports.apiserver),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAFile: c.file(authorityFile)},
		QPS:             -1, // no limit
	}
	if err := os.WriteFile(c.file("tokens.csv"), []byte(token+",e2e,e2e,system:masters\n"), 0o600); err != nil {
		return err
	}
	return clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"e2e": {Server: c.config.Host, CertificateAuthority: c.config.CAFile}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"e2e": {Token: token}},
		Contexts:       map[string]*clientcmdapi.Context{"e2e": {Cluster: "e2e", AuthInfo: "e2e"}},
		CurrentContext: "e2e",
	}, c.file("kubeconfig"))
}

// file returns the path of a file in the folder of the control plane.
func (c *ControlPlane) file(name string) string { return filepath.Join(c.folder, name) }

func (c *ControlPlane) startEtcd(progress io.Writer) error {
	binary, err := etcd.binary(c.Context(), progress)
	if err != nil {
		return err
	}
	client := fmt.Sprintf("http://127.0.0.1:%d", c.ports.etcd)
	peer := fmt.Sprintf("http://127.0.0.1:%d", c.ports.etcdPeer)
	if err := c.group.Start(Etcd, nil, binary,
		"--name=e2e",
		"--data-dir="+c.file("etcd"),
		"--listen-client-urls="+client,
		"--advertise-client-urls="+client,
		"--listen-peer-urls="+peer,
		"--initial-advertise-peer-urls="+peer,
		"--initial-cluster=e2e="+peer,
		"--unsafe-no-fsync", // nobody needs the data after a crash
	); err != nil {
		return err
	}
	return c.ready(Etcd, http.DefaultClient, client+"/readyz")
}

func (c *ControlPlane) startAPIServer(progress io.Writer) error {
	binary, err := apiserver.binary(c.Context(), progress)
	if err != nil {
		return err
	}
	if err := c.group.Start(APIServer, nil, binary,
		fmt.Sprintf("--etcd-servers=http://127.0.0.1:%d", c.ports.etcd),
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.ports.apiserver),
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none", // the service of the API server needs no endpoints
		"--tls-cert-file="+c.file(certificateFile),
		"--tls-private-key-file="+c.file(keyFile),
		"--token-auth-file="+c.file("tokens.csv"),
		"--authorization-mode=AlwaysAllow",
		"--disable-admission-plugins=ServiceAccount", // no controller creates service accounts
		"--service-account-issuer=https://127.0.0.1",
		"--service-account-key-file="+c.file(keyFile),
		"--service-account-signing-key-file="+c.file(keyFile),
		"--service-cluster-ip-range=10.0.0.0/24",
	); err != nil {
		return err
	}
	client, err := rest.HTTPClientFor(c.config)
	if err != nil {
		return err
	}
	return c.ready(APIServer, client, c.config.Host+"/readyz")
}

func (c *ControlPlane) startCrossplane(progress io.Writer) error {
	binary, err := crossplane.binary(c.Context(), progress)
	if err != nil {
		return err
	}
	module, err := crossplane.describe(c.Context())
	if err != nil {
		return err
	}
	crds, err := filepath.Glob(filepath.Join(module.Dir, "cluster/crds/*.yaml"))
	if err != nil {
		return err
	}
	if err := c.InstallCRDs(crds...); err != nil {
		return err
	}
	// Crossplane keeps packages in the folder, and doesn't create it.
	if err := os.MkdirAll(c.file("packages"), 0o755); err != nil {
		return err
	}
	if err := c.group.Start(Crossplane, []string{
		"KUBECONFIG=" + c.file("kubeconfig"),
		"TLS_SERVER_CERTS_DIR=" + c.folder,
		"TLS_CLIENT_CERTS_DIR=" + c.folder,
		"ENABLE_WEBHOOKS=false", // the API server would have to be told of them
	}, binary, "core", "start",
		"--cache-dir="+c.file("packages"),
		fmt.Sprintf("--health-probe-port=%d", c.ports.probes),
		fmt.Sprintf("--metrics-port=%d", c.ports.metrics),
	); err != nil {
		return err
	}
	return c.ready(Crossplane, http.DefaultClient, fmt.Sprintf("http://127.0.0.1:%d/readyz", c.ports.probes))
}

// ready returns when a server says at a URL that it is ready.
func (c *ControlPlane) ready(name string, client *http.Client, url string) error {
	ctx, cancel := context.WithTimeoutCause(c.Context(), startTimeout,
		fmt.Errorf("%s is not ready after %s", name, startTimeout))
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// freePorts sets each of the ports to one that nobody listens on.
func freePorts(ports ...*int) error {
	for _, port := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer func() { _ = listener.Close() }() // at the end, so that no port is chosen twice
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	return nil
}
