//! `add_kubernetes_metadata`: pod, namespace and container, read from where the kubelet puts logs.
//! The API is not asked: labels and annotations are not there.

use super::{Document, Fate, Processor};
use crate::config::section::Section;
use crate::event::{get, merge};
use serde_json::{Map, Value, json};

struct AddKubernetes;

pub(super) fn add_kubernetes_metadata(s: &Section) -> Result<Box<dyn Processor>, String> {
    let because = "the API of Kubernetes is not asked, what is added is read from the path of the log";
    for name in [
        "host",
        "node",
        "scope",
        "namespace",
        "in_cluster",
        "kube_config",
        "kube_client_options",
        "cleanup_timeout",
        "sync_period",
        "default_indexers",
        "default_matchers",
        "indexers",
        "matchers",
        "labels",
        "annotations",
        "add_resource_metadata",
        "use_kubeadm",
    ] {
        s.ignore(name, because);
    }
    Ok(Box::new(AddKubernetes))
}

impl Processor for AddKubernetes {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        if let Some(members) = get(document, "log.file.path").and_then(Value::as_str).and_then(members) {
            merge(document, &members);
        }
        Ok(Fate::Kept)
    }
}

/// `/var/log/containers/POD_NAMESPACE_CONTAINER-ID.log` or
/// `/var/log/pods/NAMESPACE_POD_UID/CONTAINER/N.log`, rotated and compressed ones too.
fn members(path: &str) -> Option<Map<String, Value>> {
    let mut parts = path.rsplit('/');
    let (file, folder, above) = (parts.next()?, parts.next()?, parts.next().unwrap_or_default());
    let found = if folder == "containers" {
        let name = file.split(".log").next()?;
        let (pod, rest) = name.split_once('_')?;
        let (namespace, rest) = rest.split_once('_')?;
        let (container, id) = rest.rsplit_once('-')?;
        if id.len() != 64 || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        json!({
            "kubernetes": {"namespace": namespace, "pod": {"name": pod}, "container": {"name": container}},
            "container": {"id": id},
        })
    } else {
        let mut names = above.split('_');
        let (namespace, pod, uid) = (names.next()?, names.next()?, names.next()?);
        if names.next().is_some() || uid.is_empty() || !path.contains("/pods/") {
            return None;
        }
        json!({
            "kubernetes": {"namespace": namespace, "pod": {"name": pod, "uid": uid}, "container": {"name": folder}},
        })
    };
    found.as_object().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_kubelet() {
        let id = "0123456789abcdef".repeat(4);
        let of = |path: &str| members(path).map(Value::Object);
        assert_eq!(
            of(&format!("/var/log/containers/web-7d_shop_nginx-proxy-{id}.log")),
            Some(json!({
                "kubernetes": {"namespace": "shop", "pod": {"name": "web-7d"}, "container": {"name": "nginx-proxy"}},
                "container": {"id": id},
            }))
        );
        assert_eq!(
            of("/var/log/pods/shop_web-7d_11-22/nginx/0.log.20261123-101010.gz"),
            Some(json!({
                "kubernetes": {
                    "namespace": "shop", "pod": {"name": "web-7d", "uid": "11-22"}, "container": {"name": "nginx"},
                },
            }))
        );
        for other in ["/var/log/nginx/access.log", "/var/log/containers/a.log", "/a_b_c/d/e.log", "x"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
