package dev.holdfast.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.provision.ProvisionerSettings;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The chart: helm understands it, an API server knows every member of what it renders, and nodes
/// understand the settings that it gives them.
@Timeout(3600)
final class HelmChartTest {
  private static final String STORE = "store.url=s3://bucket/prefix";

  /// Each switch on, and values of each kind.
  private static final String[] EVERYTHING = {
    STORE,
    "autoscaling.enabled=true",
    "serviceMonitor.enabled=true",
    "serviceMonitor.labels.release=prometheus",
    "store.secret.values.AWS_ACCESS_KEY_ID=a",
    "store.secret.values.AWS_SECRET_ACCESS_KEY=b: c",
    "settings.log\\.level=debug",
    "settings.store\\.s3\\.region=eu-west-1",
    "javaOptions=-XX:+UseG1GC",
    "index.heap=2g",
    "index.storage.size=10Gi",
    "index.storage.className=fast",
    "search.nodeSelector.disk=local",
    "search.tolerations[0].key=search",
    "search.tolerations[0].operator=Exists",
    "search.maxUnavailable=20%",
    "search.podAnnotations.a=b",
    "proxy.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution=null",
    "service.type=LoadBalancer",
    "service.annotations.a=b",
    "serviceAccount.annotations.role=arn:aws:iam::1:role/a",
    "imagePullSecrets[0].name=registry",
    "networkPolicy.monitoring[0].namespaceSelector.matchLabels.name=monitoring"
  };

  @TempDir private Path folder = Path.of("");

  @Test
  void helmFindsNoFault() throws Exception {
    assertThat(HelmChart.helm(0, "lint", "--strict", HelmChart.CHART, "--set", STORE))
        .contains("0 chart(s) failed");
  }

  @Test
  void anApiServerKnowsEveryMemberOfIt() throws Exception {
    try (KubernetesCluster cluster = KubernetesCluster.start(folder)) {
      cluster.makeNamespace("search");
      for (String[] values : List.of(new String[] {STORE}, EVERYTHING)) {
        for (JsonNode object : HelmChart.objects("one", "search", values)) {
          if (!object.path("kind").asText().equals("ServiceMonitor")) {
            cluster.make("search", object, false);
          }
        }
      }
    }
  }

  @Test
  void itHasAllThatIsPromised() throws Exception {
    Map<String, Long> kinds =
        HelmChart.objects("one", "search", EVERYTHING).stream()
            .collect(
                Collectors.groupingBy(
                    object -> object.path("kind").asText(), TreeMap::new, Collectors.counting()));
    assertThat(kinds)
        .containsEntry("StatefulSet", 2L)
        .containsEntry("Deployment", 1L)
        .containsEntry("PodDisruptionBudget", 3L)
        .containsEntry("NetworkPolicy", 2L)
        .containsEntry("Service", 2L)
        .containsKeys(
            "ConfigMap", "Secret", "Role", "RoleBinding", "ServiceAccount", "ServiceMonitor");
    assertThat(HelmChart.objects("one", "search", STORE))
        .noneMatch(object -> object.path("kind").asText().matches("Role|Secret|ServiceMonitor"));
  }

  @Test
  void nodesUnderstandTheirSettings() throws Exception {
    List<JsonNode> objects = HelmChart.objects("one", "search", EVERYTHING);
    String settings =
        objects.stream()
            .filter(object -> object.path("kind").asText().equals("ConfigMap"))
            .map(object -> object.at("/data/holdfast.yml").asText())
            .findFirst()
            .orElseThrow();
    Path file = Files.writeString(folder.resolve("holdfast.yml"), settings);
    for (JsonNode object : objects) {
      JsonNode pod = object.at("/spec/template/spec");
      if (pod.isMissingNode()) {
        continue;
      }
      Map<String, String> variables = new HashMap<>();
      for (JsonNode variable : pod.at("/containers/0/env")) {
        if (variable.has("value")) {
          variables.put(variable.path("name").asText(), variable.path("value").asText());
        }
      }
      variables.put("HOLDFAST_CONFIG", file.toString());
      NodeSettings node = SettingsReader.read(Map.of(), variables, null, folder);
      assertThat(node.store()).isEqualTo("s3://bucket/prefix");
      assertThat(node.roles()).hasSize(1);
      ProvisionerSettings provisioner = node.provisioner();
      assertThat(provisioner.kind()).isEqualTo(ProvisionerSettings.Kind.KUBERNETES);
      assertThat(provisioner.kubernetes().namespace()).isEqualTo("search");
      assertThat(provisioner.kubernetes().sets().values())
          .containsExactly("one-holdfast-index", "one-holdfast-search");
      assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
      assertThat(pod.path("terminationGracePeriodSeconds").asLong())
          .isGreaterThan(ClusterConfig.defaults().drainMax().toSeconds() + 15);
      assertThat(pod.at("/containers/0/readinessProbe/httpGet/path").asText())
          .isEqualTo("/_holdfast/ready");
      assertThat(pod.at("/containers/0/livenessProbe/httpGet/path").asText())
          .isEqualTo("/_holdfast/live");
      assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem").asBoolean())
          .isTrue();
    }
  }

  /// Else a node would take half of the machine's disk, and be evicted for it.
  @Test
  void theCacheFitsIntoWhatThePodMayTakeOfTheDisk() throws Exception {
    assertThat(variable("index", "HOLDFAST_CACHE_SIZE", STORE)).isEqualTo("10240mb");
    assertThat(variable("search", "HOLDFAST_CACHE_SIZE", STORE, "search.storage.limit=1Ti"))
        .isEqualTo("524288mb");
    assertThat(variable("index", "HOLDFAST_CACHE_SIZE", STORE, "index.storage.limit=1Mi"))
        .isEqualTo("1mb");
    assertThat(variable("proxy", "HOLDFAST_CACHE_SIZE", STORE)).isEmpty();
    // a volume has a size of its own; and who says what he wants gets it
    assertThat(variable("index", "HOLDFAST_CACHE_SIZE", STORE, "index.storage.size=10Gi"))
        .isEmpty();
    assertThat(variable("index", "HOLDFAST_CACHE_SIZE", STORE, "settings.cache\\.size=1gb"))
        .isEmpty();
  }

  /// A request that is too large for memory is in a file there.
  @Test
  void aProxyHasRoomForLargeRequests() throws Exception {
    assertThat(proxyVolumes(STORE)).contains("{\"sizeLimit\":\"2Gi\"}");
    assertThat(proxyVolumes(STORE, "proxy.disk=20Gi")).contains("{\"sizeLimit\":\"20Gi\"}");
    refused("/proxy/disk", STORE, "proxy.disk=much");
  }

  private static String proxyVolumes(String... values) throws Exception {
    return only(HelmChart.objects("one", "search", values), "Deployment", "one-holdfast-proxy")
        .at("/spec/template/spec/volumes")
        .toString();
  }

  /// What the pods of a tier are given; empty for nothing.
  private static String variable(String tier, String name, String... values) throws Exception {
    for (JsonNode object : HelmChart.objects("one", "search", values)) {
      JsonNode labels = object.at("/spec/template/metadata/labels");
      if (labels.path("app.kubernetes.io/component").asText().equals(tier)) {
        for (JsonNode variable : object.at("/spec/template/spec/containers/0/env")) {
          if (variable.path("name").asText().equals(name)) {
            return variable.path("value").asText();
          }
        }
      }
    }
    return "";
  }

  @Test
  void largeNumbersStayWholeNumbers() throws Exception {
    Path values =
        Files.writeString(
            folder.resolve("values.yaml"),
            "store: {url: 's3://bucket'}\n"
                + "settings: {script.cache.max_size: 1000000, store.price.writes: 0.005}\n");
    String rendered =
        HelmChart.helm(
            0,
            "template",
            "one",
            HelmChart.CHART,
            "--kube-version",
            HelmChart.KUBERNETES,
            "-f",
            values.toString());
    assertThat(rendered)
        .contains("script.cache.max_size: \"1000000\"")
        .contains("store.price.writes: \"0.005\"");
  }

  /// Variables are read when a process starts: old credentials would stay in use until they are
  /// revoked.
  @Test
  void otherCredentialsStartPodsAnew() throws Exception {
    String secret = "store.secret.values.AWS_SECRET_ACCESS_KEY=";
    JsonNode before = annotations(STORE, secret + "a");
    assertThat(annotations(STORE, secret + "a")).isEqualTo(before);
    assertThat(annotations(STORE, secret + "b")).isNotEqualTo(before);
  }

  private static JsonNode annotations(String... values) throws Exception {
    return only(HelmChart.objects("one", "search", values), "StatefulSet", "one-holdfast-index")
        .at("/spec/template/metadata/annotations");
  }

  /// One machine that dies does not take all proxies with it, where there are others.
  @Test
  void podsOfATierAreSpreadOverZonesAndMachines() throws Exception {
    List<JsonNode> objects = HelmChart.objects("one", "search", STORE);
    JsonNode spread =
        only(objects, "Deployment", "one-holdfast-proxy")
            .at("/spec/template/spec/topologySpreadConstraints");
    assertThat(spread.findValuesAsText("topologyKey"))
        .containsExactly("topology.kubernetes.io/zone", "kubernetes.io/hostname");
    assertThat(spread.findValuesAsText("app.kubernetes.io/component"))
        .containsExactly("proxy", "proxy");
  }

  /// A service hears a little late that a pod goes, and sends it clients until then.
  @Test
  void aProxyServesOnUntilNobodyIsSentToIt() throws Exception {
    List<JsonNode> objects = HelmChart.objects("one", "search", STORE);
    JsonNode proxy = only(objects, "Deployment", "one-holdfast-proxy");
    assertThat(proxy.at("/spec/template/spec/containers/0/lifecycle/preStop/exec/command"))
        .extracting(JsonNode::asText)
        .containsExactly("sleep", "5");
    assertThat(only(objects, "StatefulSet", "one-holdfast-index").toString())
        .doesNotContain("preStop");
  }

  /// The job of what Prometheus reads is the value of that label of the service.
  @Test
  void metricsHaveTheJobThatAlertsAskFor() throws Exception {
    List<JsonNode> objects = HelmChart.objects("one", "search", EVERYTHING);
    JsonNode monitor = only(objects, "ServiceMonitor", "one-holdfast");
    JsonNode service = only(objects, "Service", "one-holdfast-nodes");
    String job =
        service.at("/metadata/labels").path(monitor.at("/spec/jobLabel").asText()).asText();
    assertThat(Files.readString(Path.of("../deploy/prometheus/holdfast-alerts.yml")))
        .contains("up{job=\"" + job + "\"} == 0");
  }

  private static JsonNode only(List<JsonNode> objects, String kind, String name) {
    return objects.stream()
        .filter(object -> object.path("kind").asText().equals(kind))
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void valuesThatMeanNothingAreRefused() throws Exception {
    refused("store.url must be set", "index.replicas=1");
    refused("additional properties 'replica'", STORE, "index.replica=1");
    refused("propertyName 'roles'", STORE, "settings.roles=all");
    refused(
        "propertyName 'autoscaling.provisioner'", STORE, "settings.autoscaling\\.provisioner=none");
    refused("/store/url", "store.url=file:/data");
    refused("/index/replicas", STORE, "index.replicas=-1");
    refused("/search/heap", STORE, "search.heap=much");
    refused("/terminationGracePeriodSeconds", STORE, "terminationGracePeriodSeconds=-1");
    refused(
        "not set together",
        STORE,
        "store.secret.existing=a",
        "store.secret.values.AWS_ACCESS_KEY_ID=b");
  }

  private static void refused(String why, String... values) throws Exception {
    assertThat(HelmChart.template(1, "one", "search", values)).contains(why);
  }
}
