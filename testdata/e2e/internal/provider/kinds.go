package provider

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"

	clusterec2 "github.com/mrgen-io/provider-example/apis/cluster/ec2/v1beta1"
	clustersql "github.com/mrgen-io/provider-example/apis/cluster/sql/v1beta1"
	ec2 "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1"
	sql "github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
	"github.com/mrgen-io/provider-example/apis/v1alpha1"
	rules "github.com/mrgen-io/provider-rules/apis/v1alpha1"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// The kinds whose lives a test lives.
var vpc = kind[*ec2.VPC, ec2.VPCObservation]{
	gvk: ec2.VPCGroupVersionKind, collection: cloud.VPCs, id: "vpcId", state: "vpcState",
	parts: func(mg *ec2.VPC) (parameters[ec2.VPCObservation], *ec2.VPCObservation) {
		return &mg.Spec.ForProvider, &mg.Status.AtProvider
	},
}

var subnet = kind[*ec2.Subnet, ec2.SubnetObservation]{
	gvk: ec2.SubnetGroupVersionKind, collection: cloud.Subnets, id: "subnetId", state: "subnetState",
	parts: func(mg *ec2.Subnet) (parameters[ec2.SubnetObservation], *ec2.SubnetObservation) {
		return &mg.Spec.ForProvider, &mg.Status.AtProvider
	},
}

var instance = kind[*sql.DatabaseInstance, sql.DatabaseInstanceObservation]{
	gvk: sql.DatabaseInstanceGroupVersionKind, collection: cloud.Instances, id: "id", state: "state", named: true,
	parts: func(mg *sql.DatabaseInstance) (parameters[sql.DatabaseInstanceObservation], *sql.DatabaseInstanceObservation) {
		return &mg.Spec.ForProvider, &mg.Status.AtProvider
	},
	complete: func(ctx context.Context, kube client.Reader, mg *sql.DatabaseInstance, d cloud.Document) error {
		if ref := mg.Spec.ForProvider.RootPasswordSecretRef; ref != nil {
			return setFromSecret(ctx, kube, mg.Namespace, ref.Name, ref.Key, d, "rootPassword")
		}
		return nil
	},
	details: func(d cloud.Document) managed.ConnectionDetails {
		return sql.DatabaseInstanceConnectionDetails{
			ConnectionName: text(d, "connectionName"),
			Endpoint:       text(d, "firstIpAddress"),
			Password:       text(d, "rootPassword"),
			PrivateIP:      text(d, "privateIpAddress"),
			PublicIP:       text(d, "publicIpAddress"),
			Username:       []byte("root"),
		}.ConnectionDetails()
	},
}

// controllers returns the controllers of the provider.
func controllers() []gated {
	return []gated{
		configController(v1alpha1.ProviderConfigGroupVersionKind),
		configController(v1alpha1.ClusterProviderConfigGroupVersionKind),
		vpc.controller(),
		kind[*clusterec2.VPC, clusterec2.VPCObservation]{
			gvk: clusterec2.VPCGroupVersionKind, collection: cloud.VPCs, id: "vpcId", state: "vpcState",
			parts: func(mg *clusterec2.VPC) (parameters[clusterec2.VPCObservation], *clusterec2.VPCObservation) {
				return &mg.Spec.ForProvider, &mg.Status.AtProvider
			},
		}.controller(),
		subnet.controller(),
		kind[*clusterec2.Subnet, clusterec2.SubnetObservation]{
			gvk: clusterec2.SubnetGroupVersionKind, collection: cloud.Subnets, id: "subnetId", state: "subnetState",
			parts: func(mg *clusterec2.Subnet) (parameters[clusterec2.SubnetObservation], *clusterec2.SubnetObservation) {
				return &mg.Spec.ForProvider, &mg.Status.AtProvider
			},
		}.controller(),
		kind[*rules.Encoded, rules.EncodedObservation]{
			gvk: rules.SchemeGroupVersion.WithKind("Encoded"), collection: cloud.Machines, id: "machineId", state: "machineState",
			parts: func(mg *rules.Encoded) (parameters[rules.EncodedObservation], *rules.EncodedObservation) {
				return &mg.Spec.ForProvider, &mg.Status.AtProvider
			},
		}.controller(),
		instance.controller(),
		kind[*clustersql.DatabaseInstance, clustersql.DatabaseInstanceObservation]{
			gvk: clustersql.DatabaseInstanceGroupVersionKind, collection: cloud.Instances, id: "id", state: "state", named: true,
			parts: func(mg *clustersql.DatabaseInstance) (parameters[clustersql.DatabaseInstanceObservation], *clustersql.DatabaseInstanceObservation) {
				return &mg.Spec.ForProvider, &mg.Status.AtProvider
			},
			complete: func(ctx context.Context, kube client.Reader, mg *clustersql.DatabaseInstance, d cloud.Document) error {
				if ref := mg.Spec.ForProvider.RootPasswordSecretRef; ref != nil {
					return setFromSecret(ctx, kube, ref.Namespace, ref.Name, ref.Key, d, "rootPassword")
				}
				return nil
			},
			details: func(d cloud.Document) managed.ConnectionDetails {
				return clustersql.DatabaseInstanceConnectionDetails{
					ConnectionName: text(d, "connectionName"),
					Endpoint:       text(d, "firstIpAddress"),
					Password:       text(d, "rootPassword"),
					PrivateIP:      text(d, "privateIpAddress"),
					PublicIP:       text(d, "publicIpAddress"),
					Username:       []byte("root"),
				}.ConnectionDetails()
			},
		}.controller(),
	}
}

// text returns the value of a field, or nil if it has none.
func text(d cloud.Document, field string) []byte {
	value, _ := d[field].(string)
	return []byte(value)
}

// setFromSecret sets a field to the value that a secret has for a key.
func setFromSecret(ctx context.Context, kube client.Reader, namespace, name, key string, d cloud.Document, field string) error {
	var secret corev1.Secret
	if err := kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &secret); err != nil {
		return err
	}
	d[field] = string(secret.Data[key])
	return nil
}
