package dev.holdfast.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.node.deploy.HelmChart;
import dev.holdfast.node.deploy.KubernetesCluster;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Against a real API server, with the objects and the role of the chart.
@Timeout(3600)
final class KubernetesProvisionerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String INDEX = "one-holdfast-index";
  private static final String SEARCH = "one-holdfast-search";
  private static final String BINDINGS =
      "/apis/rbac.authorization.k8s.io/v1/namespaces/search/rolebindings";

  @TempDir private static Path shared = Path.of("");
  private static KubernetesCluster cluster;
  private static JsonNode binding;

  @TempDir private Path folder = Path.of("");
  private final World world = RealWorld.create();
  private Path credentials = Path.of("");

  @BeforeAll
  static void start() throws Exception {
    cluster = KubernetesCluster.start(shared.resolve("cluster"));
    cluster.makeNamespace("search");
    for (JsonNode object : objects()) {
      cluster.make("search", object, true);
      if (object.path("kind").asText().equals("RoleBinding")) {
        binding = object;
      }
    }
  }

  private static List<JsonNode> objects() throws Exception {
    return HelmChart.objects("one", "search", "store.url=s3://a/b", "autoscaling.enabled=true");
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void prepare() throws Exception {
    credentials = cluster.credentials("search", "one-holdfast", folder.resolve("credentials"));
    for (String set : List.of(INDEX, SEARCH)) {
      JsonNode _ =
          cluster.ask(
              "PATCH",
              "/apis/apps/v1/namespaces/search/statefulsets/" + set,
              "{\"spec\":{\"replicas\":2}}");
    }
  }

  @AfterEach
  void end() {
    world.tasks().close();
  }

  @Test
  void tiersGrowAndShrinkAndBeginWithWhatTheClusterRemembers() throws Exception {
    Map<String, String> settings =
        Map.of(
            "autoscaling.provisioner",
            "kubernetes",
            "autoscaling.kubernetes.url",
            cluster.url(),
            "autoscaling.kubernetes.credentials",
            credentials.toString(),
            "autoscaling.kubernetes.index",
            INDEX,
            "autoscaling.kubernetes.search",
            SEARCH);
    try (NodeFixture node = new NodeFixture(folder.resolve("node"), settings)) {
      // One member has come by now, but two are meant.
      await(() -> explained(node).at("/tiers/index/wanted_nodes").asInt() == 2);
      assertThat(explained(node).path("provisioner").asText()).isEqualTo("kubernetes");
      assertThat(cluster.replicas("search", INDEX)).isEqualTo(2);

      settings(node, "\"autoscaling.index.min_nodes\":3");
      await(() -> cluster.replicas("search", INDEX) == 3);
      assertThat(cluster.replicas("search", SEARCH)).isEqualTo(2);

      settings(
          node,
          "\"autoscaling.index.min_nodes\":null,\"autoscaling.quiet_time\":\"1s\","
              + "\"autoscaling.step_interval\":\"0s\"");
      await(() -> cluster.replicas("search", INDEX) == 1);
      await(() -> cluster.replicas("search", SEARCH) == 1);

      JsonNode _ = cluster.ask("DELETE", BINDINGS + "/one-holdfast-provisioner", "");
      settings(node, "\"autoscaling.search.min_nodes\":2");
      await(() -> explained(node).path("provisioner_failure").asText().contains(": 403 "));
      assertThat(explained(node).path("provisioner_failure").asText())
          .contains("its role needs get and patch of statefulsets/scale");
      assertThat(explained(node).at("/tiers/search/wanted_nodes").asInt()).isEqualTo(2);
      assertThat(cluster.replicas("search", SEARCH)).isEqualTo(1);

      cluster.make("search", binding, true);
      await(() -> cluster.replicas("search", SEARCH) == 2);
      await(() -> explained(node).path("provisioner_failure").isNull());
    }
  }

  @Test
  void aTokenAndACertificateAreReadAnew() throws Exception {
    String token = Files.readString(credentials.resolve("token"));
    String certificate = Files.readString(credentials.resolve("ca.crt"));
    Files.writeString(credentials.resolve("token"), "expired");
    try (Provisioner provisioner = provisioner(cluster.url(), SEARCH)) {
      fails(provisioner, "does not know the token in [" + credentials + "]: 401 Unauthorized");
      Files.writeString(credentials.resolve("token"), token + "\n");
      Files.writeString(credentials.resolve("ca.crt"), otherCertificate());
      fails(provisioner, "has no certificate that [" + credentials.resolve("ca.crt"));
      Files.writeString(credentials.resolve("ca.crt"), certificate);
      await(() -> isDone(provisioner, 4));
      assertThat(cluster.replicas("search", INDEX)).isEqualTo(4);
    }
  }

  @Test
  void whatLiesWhereCredentialsShouldIsNamed() throws Exception {
    KubernetesTiers tiers = tiers(cluster.url(), SEARCH);
    unreadable(tiers, "token", "no\ntoken", "is no token or no namespace");
    unreadable(tiers, "token", " \n", "token] is empty");
    unreadable(tiers, "namespace", "no such/../thing", "is no token or no namespace");
    unreadable(tiers, "ca.crt", "nothing", "ca.crt] holds no certificate");
    unreadable(tiers, "ca.crt", "x".repeat(1 << 19), "ca.crt] is too large");
    Files.delete(credentials.resolve("ca.crt"));
    try (KubernetesApi api = new KubernetesApi(tiers)) {
      assertThatThrownBy(() -> api.read(INDEX)).hasMessageContaining("ca.crt] cannot be read");
    }
  }

  private void unreadable(KubernetesTiers tiers, String file, String text, String why)
      throws Exception {
    Path path = credentials.resolve(file);
    String before = Files.readString(path);
    Files.writeString(path, text);
    try (KubernetesApi api = new KubernetesApi(tiers)) {
      assertThatThrownBy(() -> api.read(INDEX))
          .isInstanceOf(KubernetesFailure.class)
          .hasMessageContaining(why);
    }
    Files.writeString(path, before);
  }

  @Test
  void aTierThatIsMissingKeepsNoOtherFromItsSize() throws Exception {
    JsonNode _ =
        cluster.ask("DELETE", "/apis/apps/v1/namespaces/search/statefulsets/" + SEARCH, "");
    try (Provisioner provisioner = provisioner(cluster.url(), SEARCH)) {
      fails(provisioner, "knows no StatefulSet [search/" + SEARCH + "]: 404 ");
      assertThat(cluster.replicas("search", INDEX)).isEqualTo(3);
    } finally {
      for (JsonNode object : objects()) {
        if (object.at("/metadata/name").asText().equals(SEARCH)
            && object.path("kind").asText().equals("StatefulSet")) {
          cluster.make("search", object, true);
        }
      }
    }
    try (Provisioner provisioner = provisioner(cluster.url(), "another")) {
      fails(provisioner, "does not let this node read [search/another]");
    }
  }

  @Test
  void aChangeIsOfWhatWasSeen() throws Exception {
    try (KubernetesApi api = new KubernetesApi(tiers(cluster.url(), SEARCH))) {
      KubernetesApi.Scale seen = api.read(INDEX);
      assertThat(api.change(INDEX, seen, 5).replicas()).isEqualTo(5);
      assertThatThrownBy(() -> api.change(INDEX, seen, 7))
          .isInstanceOfSatisfying(
              KubernetesFailure.class, failure -> assertThat(failure.isConflict()).isTrue())
          .hasMessageContaining("which somebody else changed meanwhile: 409 ");
      assertThat(api.change(INDEX, api.read(INDEX), 0).replicas()).isZero();
      assertThat(api.read(INDEX).replicas()).isZero();
    }
  }

  @Test
  void aLookThatIsUnderWayTakesUpWhatIsWantedSince() throws Exception {
    try (Provisioner provisioner = provisioner(cluster.url(), SEARCH)) {
      provisioner.provision(wanted(3), List.of());
      provisioner.provision(wanted(4), List.of());
      // and nobody asks again, for five seconds
      await(() -> cluster.replicas("search", SEARCH) == 4);
      assertThat(cluster.replicas("search", INDEX)).isEqualTo(4);
    }
  }

  @Test
  void aServerThatDoesNotAnswerHoldsUpNothing() throws Exception {
    try (OddServer server = OddServer.start(folder);
        Provisioner provisioner = provisioner(server.url(), SEARCH)) {
      Files.copy(
          server.certificate(), credentials.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
      KubernetesApi api = new KubernetesApi(tiers(server.url(), SEARCH));
      server.answers(503, "");
      assertThatThrownBy(() -> api.read(SEARCH)).hasMessageContaining("/" + SEARCH + "]: 503");
      server.answers(200, "<html>a proxy</html>");
      assertThatThrownBy(() -> api.read(SEARCH))
          .hasMessageContaining("answered something else than the scale of [" + SEARCH + "]");
      server.answers(200, "x".repeat(2 << 20));
      assertThatThrownBy(() -> api.read(SEARCH)).hasMessageContaining("cannot be reached");
      api.close();
      server.answers(500, "{\"message\":\"etcd\\nis slow\"}");
      fails(provisioner, ": 500 etcd is slow");
      server.hangs();
      long begunNanos = System.nanoTime();
      assertThatThrownBy(() -> provisioner.provision(wanted(3), List.of()))
          .isInstanceOf(IOException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begunNanos))
          .isLessThan(Duration.ofSeconds(2));
      fails(provisioner, "did not answer within 5 s");
    }
    try (Provisioner provisioner = provisioner("https://127.0.0.1:1", SEARCH)) {
      fails(provisioner, "[https://127.0.0.1:1] cannot be reached");
      assertThatThrownBy(provisioner::meant).hasMessageContaining("cannot be reached");
    }
  }

  @Test
  void aServerThatIsBusyIsLeftAloneForAsLongAsItAsks() throws Exception {
    try (OddServer server = OddServer.start(folder);
        Provisioner provisioner = provisioner(server.url(), SEARCH)) {
      Files.copy(
          server.certificate(), credentials.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
      server.answers(429, "{\"message\":\"too many\"}");
      fails(provisioner, ": 429 too many");
      int asked = server.asked();
      for (int i = 0; i < 40; i++) {
        assertThatThrownBy(() -> provisioner.provision(wanted(3), List.of()))
            .hasMessageContaining(": 429 too many");
        Thread.sleep(100);
      }
      // `retry-after: 30`
      assertThat(server.asked()).isEqualTo(asked);
    }
  }

  private static String otherCertificate() throws Exception {
    Path elsewhere = Files.createTempDirectory(shared, "other");
    try (OddServer other = OddServer.start(elsewhere)) {
      return Files.readString(other.certificate());
    }
  }

  private KubernetesTiers tiers(String url, String search) {
    return new KubernetesTiers(
        url, credentials, "", new TreeMap<>(Map.of(Role.INDEX, INDEX, Role.SEARCH, search)));
  }

  private Provisioner provisioner(String url, String search) {
    return new KubernetesProvisioner(tiers(url, search), world);
  }

  private static SortedMap<Role, TierSize> wanted(int nodes) {
    SortedMap<Role, TierSize> wanted = new TreeMap<>();
    wanted.put(Role.INDEX, new TierSize(nodes, NodeSize.ofCores(1)));
    wanted.put(Role.SEARCH, new TierSize(nodes, NodeSize.ofCores(1)));
    return wanted;
  }

  private static boolean isDone(Provisioner provisioner, int nodes) throws Exception {
    try {
      provisioner.provision(wanted(nodes), List.of());
      return provisioner.meant().stream()
          .anyMatch(meant -> meant.values().stream().allMatch(its -> its == nodes));
    } catch (IOException e) {
      return false;
    }
  }

  /// It says so within some calls, which all return at once.
  private static void fails(Provisioner provisioner, String why) throws Exception {
    await(() -> {
      try {
        provisioner.provision(wanted(3), List.of());
        return false;
      } catch (IOException e) {
        return String.valueOf(e.getMessage()).contains(why);
      }
    });
  }

  private static JsonNode explained(NodeFixture node) throws Exception {
    return node.json("/_holdfast/autoscaling/explain");
  }

  private static void settings(NodeFixture node, String settings) throws Exception {
    JsonNode _ = node.ok("PUT", "/_cluster/settings", "{\"persistent\":{" + settings + "}}");
  }

  private static void await(Callable<Boolean> isSo) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isSo.call()) {
      assertThat(System.nanoTime()).as("it did not happen in time").isLessThan(end);
      Thread.sleep(100);
    }
  }
}
