package dev.holdfast.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Assumptions;

/// A real API server of Kubernetes with its database, on this machine. There are no nodes and no
/// controllers: objects are checked, kept and guarded by roles, and nothing becomes of them.
public final class KubernetesCluster implements AutoCloseable {
  private static final Duration START_MAX = Duration.ofMinutes(3);
  private static final String ADMIN = "admin-token-of-a-test";

  private final Path folder;
  private final int port;
  private final List<Process> processes = new ArrayList<>();
  private final HttpClient client;

  private KubernetesCluster(Path folder, int port, HttpClient client) {
    this.folder = folder;
    this.port = port;
    this.client = client;
  }

  /// The program. Building it takes longer than all tests may: where nobody has done it, the test
  /// is skipped.
  public static Path program(String name) throws Exception {
    Path path = Path.of(output(Duration.ofSeconds(10), "../scripts/kubernetes", "path", name));
    Assumptions.assumeTrue(
        Files.exists(path),
        () -> name + " is not installed; scripts/kubernetes install builds it in some ten minutes");
    return path;
  }

  /// What a command says, on both its streams.
  static String output(Duration max, String... command) throws IOException, InterruptedException {
    Path said = Files.createTempFile("said", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      if (!process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        return Files.readString(said) + " (not done after " + max + ")";
      }
      return Files.readString(said).strip();
    } finally {
      Files.deleteIfExists(said);
    }
  }

  public static KubernetesCluster start(Path folder) throws Exception {
    String etcd = program("etcd").toString();
    String server = program("kube-apiserver").toString();
    Files.createDirectories(folder);
    int data = freePort();
    int peers = freePort();
    int port = freePort();
    Files.writeString(folder.resolve("tokens"), ADMIN + ",admin,1,system:masters\n");
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    byte[] key = keys.generateKeyPair().getPrivate().getEncoded();
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
    Files.writeString(
        folder.resolve("sa.key"),
        "-----BEGIN PRIVATE KEY-----\n" + lines + "\n-----END PRIVATE KEY-----\n");
    List<Process> started = new ArrayList<>();
    try {
      started.add(
          process(
              folder,
              "etcd",
              List.of(
                  etcd,
                  "--data-dir=" + folder.resolve("data"),
                  "--unsafe-no-fsync",
                  "--listen-client-urls=http://127.0.0.1:" + data,
                  "--advertise-client-urls=http://127.0.0.1:" + data,
                  "--listen-peer-urls=http://127.0.0.1:" + peers)));
      started.add(
          process(
              folder,
              "kube-apiserver",
              List.of(
                  server,
                  "--etcd-servers=http://127.0.0.1:" + data,
                  "--bind-address=127.0.0.1",
                  "--advertise-address=127.0.0.1",
                  "--endpoint-reconciler-type=none",
                  "--secure-port=" + port,
                  "--cert-dir=" + folder.resolve("certificates"),
                  "--token-auth-file=" + folder.resolve("tokens"),
                  "--authorization-mode=RBAC",
                  "--service-cluster-ip-range=10.0.0.0/24",
                  "--service-account-issuer=https://kubernetes.default.svc",
                  "--service-account-key-file=" + folder.resolve("sa.key"),
                  "--service-account-signing-key-file=" + folder.resolve("sa.key"))));
      Path certificate = folder.resolve("certificates").resolve("apiserver.crt");
      await(folder, started, () -> Files.exists(certificate) && Files.size(certificate) > 0);
      KubernetesCluster cluster =
          new KubernetesCluster(folder, port, trusting(Files.readAllBytes(certificate)));
      cluster.processes.addAll(started);
      await(folder, started, cluster::isReady);
      return cluster;
    } catch (Exception e) {
      started.forEach(Process::destroyForcibly);
      throw e;
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Path folder, List<Process> processes, Condition condition)
      throws Exception {
    long endNanos = System.nanoTime() + START_MAX.toNanos();
    while (!condition.holds()) {
      assertThat(processes)
          .as("%s", Files.readString(folder.resolve("kube-apiserver.log")))
          .allMatch(Process::isAlive);
      assertThat(System.nanoTime()).as("it did not start in time").isLessThan(endNanos);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      return send("GET", "/readyz", "").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static Process process(Path folder, String name, List<String> command)
      throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".log").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static HttpClient trusting(byte[] certificates) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int many = 0;
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(certificates))) {
      store.setCertificateEntry("c" + many++, certificate);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  public String url() {
    return "https://127.0.0.1:" + port;
  }

  private HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .timeout(Duration.ofSeconds(30))
            .header("authorization", "Bearer " + ADMIN)
            .header(
                "content-type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/yaml")
            .header("accept", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /// What an administrator is answered.
  ///
  /// @param body YAML or JSON
  public JsonNode ask(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = send(method, path, body);
    assertThat(answer.statusCode()).as("%s of %s to %s", answer.body(), body, path).isLessThan(300);
    return Json.parse(answer.body());
  }

  /// Makes an object, whose every member the server must know.
  ///
  /// @param isMade whether it is kept, or only checked
  public void make(String namespace, JsonNode object, boolean isMade) throws Exception {
    String version = object.path("apiVersion").asText();
    String kind = object.path("kind").asText();
    String plural =
        kind.endsWith("y")
            ? kind.substring(0, kind.length() - 1) + "ies"
            : kind + (kind.endsWith("s") ? "es" : "s");
    JsonNode _ =
        ask(
            "POST",
            (version.contains("/") ? "/apis/" : "/api/")
                + version
                + "/namespaces/"
                + namespace
                + "/"
                + plural.toLowerCase(Locale.ROOT)
                + "?fieldValidation=Strict"
                + (isMade ? "" : "&dryRun=All"),
            object.toString());
  }

  public void makeNamespace(String name) throws Exception {
    ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
    namespace.putObject("metadata").put("name", name);
    JsonNode _ = ask("POST", "/api/v1/namespaces", namespace.toString());
  }

  /// What a pod of a service account finds in its file system: token, certificate, namespace.
  public Path credentials(String namespace, String account, Path into) throws Exception {
    Files.createDirectories(into);
    JsonNode token =
        ask(
            "POST",
            "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + account + "/token",
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}");
    Files.writeString(into.resolve("token"), token.at("/status/token").asText());
    Files.copy(
        folder.resolve("certificates").resolve("apiserver.crt"),
        into.resolve("ca.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(into.resolve("namespace"), namespace, StandardCharsets.UTF_8);
    return into;
  }

  /// How many replicas a StatefulSet is meant to have.
  public int replicas(String namespace, String set) throws Exception {
    return ask("GET", "/apis/apps/v1/namespaces/" + namespace + "/statefulsets/" + set, "")
        .at("/spec/replicas")
        .asInt();
  }

  @Override
  public void close() throws Exception {
    client.shutdownNow();
    for (Process process : processes.reversed()) {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
