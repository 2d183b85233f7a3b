package dev.holdfast.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The part of a Kubernetes cluster's API that says how many replicas a StatefulSet has: the
/// subresource `scale`.
final class KubernetesApi implements Closeable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(60);
  private static final int ANSWER_BYTES_MAX = 1 << 20;
  private static final int FILE_BYTES_MAX = 1 << 18;
  private static final int WORDS_MAX = 400;

  private final KubernetesTiers tiers;

  // Guarded by this.
  private @Nullable HttpClient client;
  private byte[] trusted = new byte[0];

  KubernetesApi(KubernetesTiers tiers) {
    this.tiers = tiers;
  }

  /// How many replicas a StatefulSet is meant to have.
  ///
  /// @param version of the object, so that a change is of what was seen
  record Scale(int replicas, String version) {}

  Scale read(String set) throws IOException, InterruptedException {
    return scale(set, ask(set, "read", request(set).GET()));
  }

  /// @throws KubernetesFailure a conflict, when it is no longer what was seen
  Scale change(String set, Scale seen, int replicas) throws IOException, InterruptedException {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("resourceVersion", seen.version());
    patch.putObject("spec").put("replicas", replicas);
    HttpRequest.Builder request =
        request(set)
            .header("content-type", "application/merge-patch+json")
            .method("PATCH", HttpRequest.BodyPublishers.ofString(patch.toString()));
    return scale(set, ask(set, "change", request));
  }

  private Scale scale(String set, JsonNode answer) throws IOException {
    JsonNode version = answer.at("/metadata/resourceVersion");
    // None means none: zeros are left out.
    JsonNode replicas = answer.at("/spec/replicas");
    boolean isNumber = replicas.isMissingNode() || replicas.canConvertToInt();
    if (!answer.path("kind").asText().equals("Scale")
        || !version.isTextual()
        || !isNumber
        || replicas.asInt(0) < 0) {
      throw new KubernetesFailure(
          "[" + tiers.url() + "] answered something else than the scale of [" + set + "]");
    }
    return new Scale(replicas.asInt(0), version.asText());
  }

  private String namespace() throws IOException {
    return tiers.namespace().isEmpty() ? text("namespace") : tiers.namespace();
  }

  private HttpRequest.Builder request(String set) throws IOException {
    String path = "/apis/apps/v1/namespaces/" + namespace() + "/statefulsets/" + set + "/scale";
    try {
      return HttpRequest.newBuilder(URI.create(tiers.url() + path))
          .timeout(PATIENCE)
          .header("accept", "application/json")
          .header("authorization", "Bearer " + text("token"));
    } catch (IllegalArgumentException e) {
      throw new KubernetesFailure(
          "what lies in [" + tiers.credentials() + "] is no token or no namespace");
    }
  }

  private JsonNode ask(String set, String what, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> answer;
    try {
      answer =
          client()
              .send(
                  request.build(),
                  BodyHandlers.limiting(BodyHandlers.ofString(), ANSWER_BYTES_MAX));
    } catch (HttpTimeoutException e) {
      throw new KubernetesFailure(
          "[" + tiers.url() + "] did not answer within " + PATIENCE.toSeconds() + " s");
    } catch (SSLException e) {
      throw new KubernetesFailure(
          "["
              + tiers.url()
              + "] has no certificate that ["
              + file("ca.crt")
              + "] vouches for: "
              + words(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new KubernetesFailure("[" + tiers.url() + "] cannot be reached: " + words(why));
    }
    JsonNode body = json(answer.body());
    if (answer.statusCode() == 200) {
      return body;
    }
    throw failure(set, what, answer, words(body.path("message").asText("")));
  }

  private KubernetesFailure failure(
      String set, String what, HttpResponse<String> answer, String message) throws IOException {
    int status = answer.statusCode();
    String name = namespace() + "/" + set;
    String why =
        switch (status) {
          case 401 -> "does not know the token in [" + tiers.credentials() + "]";
          case 403 ->
              "does not let this node "
                  + what
                  + " ["
                  + name
                  + "]: its role needs get and patch of statefulsets/scale";
          case 404 -> "knows no StatefulSet [" + name + "]";
          case 409 -> "did not " + what + " [" + name + "], which somebody else changed meanwhile";
          default -> "did not " + what + " [" + name + "]";
        };
    Duration pause =
        answer
            .headers()
            .firstValue("retry-after")
            .filter(text -> text.matches("[0-9]{1,6}"))
            .map(text -> Duration.ofSeconds(Long.parseLong(text)))
            .filter(asked -> asked.compareTo(PAUSE_MAX) < 0)
            .orElse(Duration.ZERO);
    return new KubernetesFailure(
        "[" + tiers.url() + "] " + why + ": " + status + (message.isEmpty() ? "" : " " + message),
        status,
        pause);
  }

  private static JsonNode json(String text) {
    try {
      return text.isBlank() ? Json.object() : Json.parse(text);
    } catch (Refusal e) {
      // A proxy in between may answer in words of its own: the status says enough.
      return Json.object();
    }
  }

  private static String words(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() <= WORDS_MAX ? line : line.substring(0, WORDS_MAX) + "…";
  }

  /// The client for the certificates that lie there now.
  private synchronized HttpClient client() throws IOException {
    byte[] now = bytes("ca.crt");
    if (client == null || !Arrays.equals(now, trusted)) {
      close();
      client =
          HttpClient.newBuilder()
              .sslContext(trusting(now))
              .connectTimeout(PATIENCE)
              .followRedirects(HttpClient.Redirect.NEVER)
              .build();
      trusted = now;
    }
    return client;
  }

  private SSLContext trusting(byte[] certificates) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int many = 0;
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(certificates))) {
        store.setCertificateEntry("ca-" + many++, certificate);
      }
      if (many == 0) {
        throw new KubernetesFailure("[" + file("ca.crt") + "] holds no certificate");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new KubernetesFailure(
          "["
              + file("ca.crt")
              + "] holds no certificate: "
              + words(String.valueOf(e.getMessage())));
    }
  }

  private Path file(String name) {
    return tiers.credentials().resolve(name);
  }

  private String text(String name) throws IOException {
    String text = new String(bytes(name), StandardCharsets.UTF_8).strip();
    if (text.isEmpty()) {
      throw new KubernetesFailure("[" + file(name) + "] is empty");
    }
    return text;
  }

  private byte[] bytes(String name) throws IOException {
    try {
      if (Files.size(file(name)) > FILE_BYTES_MAX) {
        throw new KubernetesFailure("[" + file(name) + "] is too large to be what it should be");
      }
      return Files.readAllBytes(file(name));
    } catch (KubernetesFailure e) {
      throw e;
    } catch (IOException e) {
      throw new KubernetesFailure("[" + file(name) + "] cannot be read: " + e);
    }
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
      client = null;
    }
  }
}
