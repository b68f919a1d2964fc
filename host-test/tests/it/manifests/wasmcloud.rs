//! wasmCloud 2 manifests. Fields and rules of a workload are from
//! `docs/kubernetes-operator/crds.mdx` and `host-interface-configuration.mdx` in
//! wasmCloud/wasmcloud.com (version 2.8). The fields of `wash dev` are from
//! `crates/wash/src/config.rs` in wasmCloud/wasmCloud.

use std::collections::{BTreeMap, BTreeSet};

use messaging_core::once::settings;
use serde::Deserialize;

use super::{
    Checked, Variables, component, component_at, holds, origin, refuses, webhook_reads, world,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Deployment {
    api_version: String,
    kind: String,
    #[serde(rename = "metadata")]
    _metadata: Named,
    spec: Replicated,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(rename = "name")]
    _name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replicated {
    #[serde(rename = "replicas")]
    _replicas: u32,
    template: Template,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    spec: Workload,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Workload {
    #[serde(rename = "hostSelector")]
    _host_selector: Variables,
    components: Vec<Component>,
    host_interfaces: Vec<HostInterface>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Component {
    #[serde(rename = "name")]
    _name: String,
    image: String,
    local_resources: LocalResources,
}

/// `allowedHosts` is optional in a workload and in the configuration of `wash dev`. By default, a
/// cluster allows no host and `wash dev` allows all hosts. This check requires an explicit value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LocalResources {
    allowed_hosts: Vec<String>,
    #[serde(default)]
    environment: Environment<Named>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Environment<Secret> {
    #[serde(default)]
    config: Variables,
    secret_from: Vec<Secret>,
}

impl<Secret> Default for Environment<Secret> {
    fn default() -> Self {
        Self { config: Variables::new(), secret_from: Vec::new() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostInterface {
    namespace: String,
    package: String,
    version: Option<String>,
    interfaces: BTreeSet<String>,
    #[serde(default)]
    config: Variables,
}

/// Interfaces that a host links only if the workload declares them. All other WASI interfaces are
/// always linked.
const DECLARED: [&str; 3] = ["wasi:http", "wasi:keyvalue", "wasmcloud:keyvalue"];
/// Interface that a host links together with `wasmcloud:keyvalue/store`, without a declaration.
const BUCKETS: &str = "wasmcloud:keyvalue/types@0.2.0";

fn declared(interfaces: &[HostInterface], name: &str) -> bool {
    let Some((package, rest)) = name.split_once('/') else { return true };
    let (interface, version) = rest.split_once('@').unwrap_or((rest, ""));
    !DECLARED.contains(&package)
        || name == BUCKETS
        || interfaces.iter().any(|one| {
            format!("{}:{}", one.namespace, one.package) == package
                && one.interfaces.contains(interface)
                && one.version.as_deref().is_none_or(|said| said == version)
        })
}

fn check(text: &str) -> Checked {
    let deployment: Deployment =
        serde_yaml_ng::from_str(text).map_err(|error| error.to_string())?;
    holds(deployment.api_version == "runtime.wasmcloud.dev/v1alpha1", "unsupported API version")?;
    holds(deployment.kind == "WorkloadDeployment", "the kind is not a deployment")?;
    let workload = deployment.spec.template.spec;

    let routed = workload.host_interfaces.iter().any(|one| {
        ["incoming-handler", "handler"].iter().any(|name| one.interfaces.contains(*name))
            && one.config.get("host").is_some_and(|host| !host.contains([':', '/']))
    });
    holds(routed, "no host name leads to the workload")?;

    for one in workload.host_interfaces.iter().filter(|one| one.package == "keyvalue") {
        // The default backend is NATS for `wasi:keyvalue` and host memory for `wasmcloud:keyvalue`.
        let default = (one.namespace == "wasi").then_some("nats");
        let backend = one.config.get("backend").map(String::as_str).or(default);
        holds(backend == Some("nats"), "the store is in a host's memory")?;
    }

    for one in &workload.components {
        let resources = &one.local_resources;
        let name = one.image.rsplit('/').next().and_then(|last| last.split(':').next());
        let Some(name) = name.filter(|name| name.starts_with("messaging_")) else {
            holds(resources.allowed_hosts.is_empty(), "the caller needs no network")?;
            continue;
        };
        let bytes = component(name).ok_or(format!("{name} is not a component of the build"))?;
        for import in world::imports(bytes).iter().chain(&world::exports(bytes)) {
            holds(
                declared(&workload.host_interfaces, import),
                &format!("{import} is not declared"),
            )?;
        }
        let environment = &resources.environment;
        if name.starts_with("messaging_plugin") {
            let world = match name {
                "messaging_plugin_once_wasmcloud" => {
                    settings::bucket(environment.config.clone())
                        .map_err(|error| format!("{} {}", error.setting, error.detail))?;
                    "once-wasmcloud"
                }
                _ => "messaging",
            };
            world::links("wasmcloud", world, bytes)?;
            holds(
                resources.allowed_hosts == [origin(&environment.config)?],
                "the allowed hosts differ from the service's origin",
            )?;
        } else {
            let world = match name {
                "messaging_webhook_wasmcloud" => "webhook-wasmcloud",
                _ => "webhook",
            };
            world::links("wasmcloud", world, bytes)?;
            webhook_reads(&environment.config, "MESSAGING_WEBHOOK_HEADER_SECRET")?;
            holds(resources.allowed_hosts.is_empty(), "a webhook needs no network")?;
        }
        holds(environment.secret_from.len() == 1, "not exactly one secret")?;
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Project {
    build: Build,
    dev: Dev,
    workload: LocalWorkload,
    secrets: BTreeMap<String, Secret>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Build {
    #[serde(rename = "command")]
    _command: String,
    component_path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dev {
    address: std::net::SocketAddr,
    #[serde(rename = "wasi_keyvalue_path")]
    _wasi_keyvalue_path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LocalWorkload {
    allowed_hosts: Vec<String>,
    environment: Environment<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Secret {
    from_env: Vec<String>,
}

fn check_project(text: &str) -> Checked {
    let project: Project = serde_yaml_ng::from_str(text).map_err(|error| error.to_string())?;
    holds(project.dev.address.ip().is_loopback(), "other machines can reach the webhook")?;
    holds(project.workload.allowed_hosts.is_empty(), "a webhook needs no network")?;
    let bytes = component_at(&project.build.component_path)?;
    world::links("wasmcloud", "webhook", bytes)?;
    let environment = &project.workload.environment;
    let [secret] = &environment.secret_from[..] else {
        return Err("not exactly one secret".into());
    };
    let secret = project.secrets.get(secret).ok_or("the secret is not defined")?;
    let [name] = &secret.from_env[..] else { return Err("not exactly one variable".into()) };
    webhook_reads(&environment.config, name)
}

const WEBHOOK: &str = include_str!("../../../../examples/wasmcloud/webhook.yaml");
const EXACT: &str = include_str!("../../../../examples/wasmcloud/webhook-wasmcloud.yaml");
const SENDER: &str = include_str!("../../../../examples/wasmcloud/sender.yaml");
const SENDER_ONCE: &str = include_str!("../../../../examples/wasmcloud/sender-once.yaml");
const PROJECT: &str = include_str!("../../../../examples/wasmcloud/.wash/config.yaml");

#[test]
fn wasmcloud_manifests_fit_components() {
    assert_eq!(check(WEBHOOK), Ok(()));
    assert_eq!(check(EXACT), Ok(()));
    assert_eq!(check(SENDER), Ok(()));
    assert_eq!(check(SENDER_ONCE), Ok(()));
    assert_eq!(check_project(PROJECT), Ok(()));
}

#[test]
fn broken_wasmcloud_sender_is_refused() {
    refuses(
        check,
        SENDER,
        &[
            ("v1alpha1", "v1beta1", "unsupported API version"),
            ("hostInterfaces:", "interfaces:", "unknown field `interfaces`"),
            ("messaging_plugin:", "messaging_sender:", "is not a component of the build"),
            ("messaging_plugin:", "messaging_inbox_files:", "incoming-handler"),
            (
                "- https://api.example.com #",
                "- https://other.example.com #",
                "the service's origin",
            ),
            ("- https://api.example.com #", "- \"*\" #", "the service's origin"),
            ("MESSAGING_BASE_URL:", "MESSAGING_BASE:", "MESSAGING_BASE"),
            (
                "MESSAGING_BASE_URL:",
                "MESSAGING_API_KEY: key\n                MESSAGING_BASE_URL:",
                "MESSAGING_API_KEY is set twice",
            ),
            (
                "incoming-handler, outgoing-handler,",
                "incoming-handler,",
                "outgoing-handler@0.2.0 is not declared",
            ),
            ("host: sender.example.com", "host: sender.example.com:80", "no host name leads"),
            ("allowedHosts: []", "allowedHosts: [\"*\"]", "the caller needs no network"),
        ],
    );
}

#[test]
fn broken_once_sender_manifest_is_rejected() {
    refuses(
        check,
        SENDER_ONCE,
        &[
            ("[store, cas]", "[store]", "cas@0.2.0 is not declared"),
            ("[handler, client, types]", "[handler, types]", "client@0.3.0 is not declared"),
            ("backend: nats #", "#", "in a host's memory"),
            ("plugin_once_wasmcloud", "plugin_once_files", "@0.2.0 is not declared"),
            ("MESSAGING_ONCE_BUCKET:", "MESSAGING_ONCE_BUKET:", "MESSAGING_ONCE_BUCKET is missing"),
            ("- https://api.example.com #", "- \"*\" #", "the service's origin"),
        ],
    );
}

#[test]
fn broken_wasmcloud_webhook_is_refused() {
    refuses(
        check,
        WEBHOOK,
        &[
            ("interfaces: [store]", "interfaces: [batch]", "store@0.2.0-draft is not declared"),
            ("0.2.0-draft", "0.2.0-draft2", "store@0.2.0-draft is not declared"),
            ("webhook_keyvalue", "webhook_open", "inbox@0.2.0"),
            ("allowedHosts: [] #", "allowedHosts: [\"*\"] #", "a webhook needs no network"),
            (
                "allowedHosts: [] # the webhook makes no requests",
                "volumeMounts: []",
                "unknown field `volumeMounts`",
            ),
            ("MESSAGING_WEBHOOK_BUCKET", "MESSAGING_WEBHOOK_BUKET", "MESSAGING_WEBHOOK_BUKET"),
            (
                "MESSAGING_WEBHOOK_BUCKET:",
                "MESSAGING_WEBHOOK_HEADER_SECRET: a-public-secret\n                MESSAGING_WEBHOOK_BUCKET:",
                "MESSAGING_WEBHOOK_HEADER_SECRET",
            ),
        ],
    );
}

#[test]
fn broken_exact_webhook_manifest_is_rejected() {
    refuses(
        check,
        EXACT,
        &[
            ("interfaces: [handler, types]", "interfaces: [types]", "no host name leads"),
            ("0.3.0", "0.2.0", "@0.3.0 is not declared"),
            ("namespace: wasmcloud", "namespace: wasi", "store@0.2.0 is not declared"),
            ("interfaces: [store]", "interfaces: [cas]", "store@0.2.0 is not declared"),
            ("webhook_wasmcloud", "webhook_keyvalue", "is not declared"),
            ("backend: nats #", "#", "in a host's memory"),
            ("backend: nats #", "backend: in-memory #", "in a host's memory"),
            ("allowedHosts: [] #", "allowedHosts: [\"*\"] #", "a webhook needs no network"),
        ],
    );
}

#[test]
fn broken_wash_project_is_refused() {
    refuses(
        check_project,
        PROJECT,
        &[
            ("  allowedHosts: []", "  #", "missing field `allowedHosts`"),
            ("127.0.0.1", "0.0.0.0", "other machines"),
            ("wasi_keyvalue_path: inbox #", "#", "missing field `wasi_keyvalue_path`"),
            ("webhook_keyvalue", "webhook_open", "inbox@0.2.0"),
            ("[messaging-webhook]", "[messaging]", "the secret is not defined"),
            (
                "[MESSAGING_WEBHOOK_HEADER_SECRET]",
                "[MESSAGING_WEBHOOK_SECRET]",
                "MESSAGING_WEBHOOK_SECRET",
            ),
        ],
    );
}
