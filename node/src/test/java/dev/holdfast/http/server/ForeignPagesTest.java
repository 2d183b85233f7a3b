package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.PagePolicy;
import dev.holdfast.http.PagePolicy.Cors;
import dev.holdfast.world.ByteSize;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
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

  @Test
  void ofAPublicNameThatPointsHereMayOnlyRead() {
    ForeignPages open = new ForeignPages(PagePolicy.DEFAULT);
    ForeignPages named = new ForeignPages(PagePolicy.of("search.example.com", Cors.NONE));

    for (String host :
        List.of(
            "127.0.0.1:9200",
            "[::1]:9200",
            "localhost:9200",
            "node-1",
            "es.default.svc",
            "a.internal")) {
      open.refuse("POST", page("http://" + host, host));
    }
    assertThatThrownBy(() -> open.refuse("POST", page("http://evil.example", "evil.example")))
        .hasMessageContaining("pages of the public name [evil.example] may only read");
    open.refuse("GET", page("http://evil.example", "evil.example"));
    open.refuse("POST", Map.of("host", "search.example.com")::get); // no browser
    named.refuse("POST", page("https://search.example.com", "search.example.com"));
  }

  @Test
  void ofAnAllowedOriginMayWriteAndRead() throws Exception {
    Cors cors = Cors.of("https://app.example", Cors.METHODS, Cors.HEADERS, Cors.EXPOSED, 600, true);
    HttpLimits limits = new HttpLimits(ByteSize.mib(1), 100, PagePolicy.of("", cors));
    try (HttpFixture allowing = new HttpFixture(HttpRoutes.all(), limits, 64 << 20)) {
      // when
      HttpResponse<String> preflight =
          allowing.send(
              allowing
                  .request("/a/_echo")
                  .header("Origin", "https://app.example")
                  .header("Access-Control-Request-Method", "POST")
                  .method("OPTIONS", BodyPublishers.noBody()));
      HttpResponse<String> written = written(allowing, "https://app.example");

      // then
      assertThat(preflight.statusCode()).isEqualTo(200);
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
          .hasValue(Cors.METHODS);
      assertThat(preflight.headers().firstValue("Access-Control-Max-Age")).hasValue("600");
      assertThat(written.statusCode()).isEqualTo(200);
      assertThat(written.headers().firstValue("Access-Control-Allow-Origin"))
          .hasValue("https://app.example");
      assertThat(written.headers().firstValue("Access-Control-Allow-Credentials")).hasValue("true");
      HttpResponse<String> other = written(allowing, "https://elsewhere.example");
      assertThat(other.statusCode()).isEqualTo(403);
      assertThat(other.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }
  }

  private static HttpResponse<String> written(HttpFixture fixture, String origin) throws Exception {
    return fixture.send(
        fixture
            .request("/a/_echo")
            .header("Content-Type", "application/json")
            .header("Origin", origin)
            .POST(BodyPublishers.ofString("{\"a\":1}")));
  }

  private static HeaderValues page(String origin, String host) {
    return Map.of("origin", origin, "host", host)::get;
  }
}
