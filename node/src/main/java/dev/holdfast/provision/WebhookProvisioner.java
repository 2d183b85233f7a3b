package dev.holdfast.provision;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.SortedMap;

/// Tells the sizes to a URL, each time that somebody decides: who listens makes it so. The body is
/// `{"tiers": {"index": {"nodes": 3, "node_cores": 2, "node_memory_bytes": …, "members": 1}, …}}`;
/// any 2xx means understood. It is told again every few seconds, so that nothing that was missed
/// stays missed.
final class WebhookProvisioner implements Provisioner {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final URI url;
  private final HttpClient client;
  private volatile boolean isClosed;

  WebhookProvisioner(String url) {
    this.url = URI.create(url);
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
  }

  @Override
  public String name() {
    return "webhook";
  }

  @Override
  public void provision(SortedMap<Role, TierSize> wanted, Collection<Member> members)
      throws IOException, InterruptedException {
    if (isClosed) {
      return;
    }
    ObjectNode body = Json.object();
    ObjectNode tiers = body.putObject("tiers");
    wanted.forEach((tier, size) ->
        tiers
            .putObject(tier.label())
            .put("nodes", size.nodes())
            .put("node_cores", size.size().cores())
            .put("node_memory_bytes", size.size().memoryBytes())
            .put("members", members.stream().filter(m -> m.roles().contains(tier)).count()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(PATIENCE)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    if (url.getUserInfo() != null) {
      request.header("authorization", "Basic " + basic(url.getUserInfo()));
    }
    int status = status(request.build());
    if (status / 100 != 2) {
      throw new IOException("[autoscaling.webhook.url] answered " + status);
    }
  }

  /// Name and password of the URL, which the library does not send by itself.
  private static String basic(String userInfo) {
    return Base64.getEncoder().encodeToString(userInfo.getBytes(StandardCharsets.UTF_8));
  }

  /// The URL is not in the reasons: it may hold a password.
  private int status(HttpRequest request) throws IOException, InterruptedException {
    try {
      // Nobody reads the body: its end is not bounded, and would hold up all decisions.
      HttpResponse<InputStream> answer =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      answer.body().close();
      return answer.statusCode();
    } catch (HttpTimeoutException e) {
      throw new IOException(
          "[autoscaling.webhook.url] did not answer within " + PATIENCE.toSeconds() + " s", e);
    } catch (IOException e) {
      // The library leaves out why it could not connect.
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new IOException("[autoscaling.webhook.url] cannot be reached: " + why, e);
    }
  }

  @Override
  public void close() {
    isClosed = true;
    client.shutdownNow();
  }
}
