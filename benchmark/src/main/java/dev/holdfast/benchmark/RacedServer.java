package dev.holdfast.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A server of this machine in a race: what it is asked over HTTP, and what processor time that
/// costs its process, whoever else is busy.
///
/// @param pid of its process, or of that of the server's whole life if it has several
record RacedServer(String name, URI url, long pid, HttpClient client) {
  /// Of Linux: what `/proc/PID/stat` counts in, a hundredth of a second.
  private static final double MILLIS_PER_TICK = 10;

  /// Fields of `/proc/PID/stat` behind the name of the process: time as user, time in the kernel.
  private static final int USER_TICKS = 11;

  private static final int KERNEL_TICKS = 12;

  static RacedServer of(String name, URI url, long pid) {
    return new RacedServer(
        name, url, pid, HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
  }

  /// @param target with its parameters
  /// @param body JSON, or lines of it; empty for none
  /// @throws IOException for every status that is no success
  JsonNode ask(String method, String target, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(target))
            .header(
                "Content-Type",
                target.contains("_bulk") ? "application/x-ndjson" : "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    JsonNode json = Json.parse(answer.body(), 0, answer.body().length);
    if (answer.statusCode() >= 300 || json.path("errors").asBoolean(false)) {
      throw new IOException(
          name + " answers " + answer.statusCode() + " to " + target + ": " + head(json));
    }
    return json;
  }

  private static String head(JsonNode json) {
    String text = json.toString();
    return text.substring(0, Math.min(text.length(), 600));
  }

  /// Processor time of the process so far.
  double cpuMillis() throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return MILLIS_PER_TICK
        * (Long.parseLong(fields.get(USER_TICKS)) + Long.parseLong(fields.get(KERNEL_TICKS)));
  }
}
