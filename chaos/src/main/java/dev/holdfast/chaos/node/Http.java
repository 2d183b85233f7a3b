package dev.holdfast.chaos.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// The few HTTP calls that chaos makes, to nodes on this machine only.
public final class Http {
  public static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client;
  private final String base;
  private final Duration timeout;

  /// Empty for none.
  private final String project;

  /// @param address host and port
  public Http(String address, Duration timeout) {
    this(client(), address, timeout);
  }

  /// @param client shared with others
  public Http(HttpClient client, String address, Duration timeout) {
    this(client, "http://" + address, timeout, "");
  }

  private Http(HttpClient client, String base, Duration timeout, String project) {
    this.client = client;
    this.base = base;
    this.timeout = timeout;
    this.project = project;
  }

  /// The same for a project.
  public Http of(String name) {
    return new Http(client, base, timeout, name);
  }

  public static HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(2))
        .build();
  }

  /// @param status of the answer
  /// @param body as JSON; missing when there is none
  public record Reply(int status, JsonNode body) {}

  public Reply send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(timeout)
            .header(
                "Content-Type",
                path.contains("_bulk") ? "application/x-ndjson" : "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!project.isEmpty()) {
      request.header("X-Holdfast-Project", project);
    }
    HttpResponse<byte[]> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    return new Reply(response.statusCode(), JSON.readTree(response.body()));
  }

  public Reply get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }
}
