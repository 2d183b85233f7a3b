package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A page of another site, open in the browser of somebody who reaches an open node.
final class ForeignPagesTest {
  @AutoClose private static HttpFixture edge;

  @BeforeAll
  static void start() throws Exception {
    edge = HttpFixture.of(HttpRoutes.all());
  }

  private static HttpResponse<String> post(String header, String value) throws Exception {
    return edge.send(
        edge.request("/a/_echo")
            .header("Content-Type", "application/json")
            .header(header, value)
            .POST(BodyPublishers.ofString("{\"a\":1}")));
  }

  @Test
  void maySendNothingThatChanges() throws Exception {
    HttpResponse<String> foreign = post("Origin", "https://elsewhere.example");

    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(foreign.body())
        .contains("security_exception")
        .contains("pages of another origin [https://elsewhere.example] may only read");
    assertThat(post("Origin", "null").statusCode()).isEqualTo(403);
    assertThat(post("Origin", "no origin at all").statusCode()).isEqualTo(403);
    assertThat(post("Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
  }

  @Test
  void isNoPageOfThisAddressAndNoClient() throws Exception {
    assertThat(post("Origin", "http://127.0.0.1:" + edge.port()).statusCode()).isEqualTo(200);
    assertThat(post("Sec-Fetch-Site", "same-origin").statusCode()).isEqualTo(200);
    assertThat(post("X-Opaque-Id", "client").statusCode()).isEqualTo(200);
    assertThat(
            edge.send(edge.request("/a/_echo").header("Origin", "https://elsewhere.example").GET())
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void cannotHideABodyInTheUrlOfAPost() throws Exception {
    String target = "/a/_echo?source=%7B%22a%22%3A1%7D&source_content_type=application/json";

    HttpResponse<String> post = edge.send(edge.request(target).POST(BodyPublishers.noBody()));

    assertThat(post.statusCode()).isEqualTo(400);
    assertThat(post.body()).contains("[source] is read with GET only");
    assertThat(edge.get(target).statusCode()).isEqualTo(200);
  }
}
