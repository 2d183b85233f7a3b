package dev.holdfast.objectstore.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.TryTime;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;

/// Servers, caches and gateways that answer otherwise than Amazon does.
final class S3AnswersTest {
  private final World world = RealWorld.create();
  private final byte[] object = new byte[100];
  private HttpServer server;
  private ObjectStore store;
  private volatile HttpHandler handler = exchange -> {};

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < object.length; i++) {
      object[i] = (byte) i;
    }
    for (String name : List.of("aws.accessKeyId", "aws.secretAccessKey")) {
      System.setProperty(name, System.getProperty(name, "test"));
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().set("ETag", "\"e\"");
          handler.handle(exchange);
          exchange.close();
        });
    server.start();
    String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
    TreeMap<String, String> options =
        new TreeMap<>(Map.of("store.s3.endpoint", endpoint, "store.s3.region", "us-east-1"));
    store = Stores.open("s3://bucket/p", options, world);
  }

  @AfterEach
  void stop() {
    store.close();
    server.stop(0);
    world.tasks().close();
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private byte[] slice(int from, int to) {
    return Arrays.copyOfRange(object, from, to);
  }

  @Test
  void aServerThatPassesOverRangesGivesNoOtherBytes() throws Exception {
    handler = exchange -> answer(exchange, 200, object);

    assertThat(store.getRange("k", 10, 5)).isEqualTo(slice(10, 15));
    assertThat(store.getRange("k", 98, 10)).isEqualTo(slice(98, 100));
    assertThat(store.getSuffix("k", 5).bytes()).isEqualTo(slice(95, 100));
    assertThat(store.getSuffix("k", 5).objectLength()).isEqualTo(100);
    assertThat(store.getSuffix("k", 500).bytes()).isEqualTo(object);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes 10-12/100", "bytes 0-4/100", "bytes 10-14/*", "items"})
  void otherBytesThanThoseAskedForAreNoAnswer(String range) {
    handler =
        exchange -> {
          exchange.getResponseHeaders().set("Content-Range", range);
          answer(exchange, 206, slice(10, 13));
        };

    assertThatThrownBy(() -> store.getRange("k", 10, 5))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThatThrownBy(() -> store.getSuffix("k", 5))
        .isInstanceOf(StoreException.Unavailable.class);
  }

  private static final String NO_SUCH_KEY =
      "<Error><Code>NoSuchKey</Code><Message>there is none</Message></Error>";

  /// Answers to HEAD have no words: what is between says 404 as the store does.
  @Test
  void aStatusWithoutWordsDoesNotSayThatThereIsNoObject() {
    answerHeadWith404AndElse(404, "<html>no such route</html>");
    assertThatThrownBy(() -> store.copy("k", "l"))
        .isInstanceOf(StoreException.Unavailable.class)
        .extracting(e -> ((StoreException.Unavailable) e).failure())
        .isEqualTo(StoreFailure.GATEWAY);

    answerHeadWith404AndElse(200, "bytes of the object");
    assertThatThrownBy(() -> store.copy("k", "l")).isInstanceOf(StoreException.Unavailable.class);

    answerHeadWith404AndElse(404, NO_SUCH_KEY);
    assertThatThrownBy(() -> store.copy("k", "l")).isInstanceOf(StoreException.NotFound.class);
  }

  private void answerHeadWith404AndElse(int status, String body) {
    handler =
        exchange -> {
          if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(404, -1);
          } else {
            answer(exchange, status, body.getBytes(StandardCharsets.UTF_8));
          }
        };
  }

  @Test
  void aRangeIsShorterWhereTheObjectEnds() throws Exception {
    handler =
        exchange -> {
          exchange.getResponseHeaders().set("Content-Range", "bytes 98-99/100");
          answer(exchange, 206, slice(98, 100));
        };

    assertThat(store.getRange("k", 98, 10)).isEqualTo(slice(98, 100));
    assertThat(store.getSuffix("k", 2).bytes()).isEqualTo(slice(98, 100));
  }

  @Test
  void anAnswerInChunksIsRead() throws Exception {
    handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 0); // no length
          exchange.getResponseBody().write(object);
        };

    assertThat(store.get("k").orElseThrow().bytes()).isEqualTo(object);
    assertThatThrownBy(() -> store.getSuffix("k", 5))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("how long");
  }

  /// Nothing comes over a connection that died unnoticed: who knows that a request needs little
  /// time asks again before the time is over that others may need.
  @Test
  void aTryThatIsBoundedEndsThoughNothingIsAnswered() {
    CountDownLatch isOver = new CountDownLatch(1);
    handler =
        _ -> {
          try {
            isOver.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    Duration bound = Duration.ofMillis(100);

    assertThatThrownBy(
            () -> TryTime.within(bound, () -> store.putIfAbsent("k", ObjectBody.of(object))))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("100 millis");
    assertThatThrownBy(() -> TryTime.within(bound, () -> store.get("k")))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("100 millis");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    isOver.countDown();
  }

  private static String page(String more, String... names) {
    StringBuilder contents = new StringBuilder();
    for (String name : names) {
      contents
          .append("<Contents><Key>")
          .append(name)
          .append("</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>7</Size>")
          .append("</Contents>");
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult>"
        + contents
        + (more.isEmpty()
            ? "<IsTruncated>false</IsTruncated>"
            : "<IsTruncated>true</IsTruncated><NextContinuationToken>"
                + more
                + "</NextContinuationToken>")
        + "</ListBucketResult>";
  }

  /// @param byQuery the first whose key is a part of the question answers it
  private void pages(Map<String, String> byQuery) {
    handler =
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          String page =
              byQuery.entrySet().stream()
                  .filter(entry -> query.contains(entry.getKey()))
                  .map(Map.Entry::getValue)
                  .findFirst()
                  .orElse(page(""));
          exchange.getResponseHeaders().set("Content-Type", "application/xml");
          answer(exchange, 200, page.getBytes(StandardCharsets.UTF_8));
        };
  }

  private List<String> listed(int max) throws Exception {
    return store.list("", "", max).stream().map(Listed::key).toList();
  }

  @Test
  void anEmptyPageIsNotTheEndOfAList() throws Exception {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("continuation-token=t1", page("", "p/b"));
    pages.put("list-type=2", page("t1"));
    pages(pages);

    assertThat(listed(10)).containsExactly("b");
  }

  /// A console's or a mount's folders, and what others keep there.
  @Test
  void whatNoKeyMayBeCalledIsNotListed() throws Exception {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("start-after=p/log/a/", page("t1", "p/log/a/1", "p/log/b/"));
    pages.put("start-after=p/log/b/", page("", "p/log/b/2"));
    pages.put("list-type=2", page("t1", "p/", "p/a b", "p/log/", "p/log/a/"));
    pages(pages);

    assertThat(listed(10)).containsExactly("log/a/1", "log/b/2");
    assertThat(listed(1)).containsExactly("log/a/1");
  }

  /// As of a server that is upgraded: a node ended over it, and the next that was started, too.
  @ParameterizedTest
  @ValueSource(ints = {400, 405, 301})
  void anAnswerThatMeansNeverIsWaitedOutByWhatNodesDoAgainAndAgain(int status) {
    handler =
        exchange ->
            answer(
                exchange,
                status,
                "<Error><Code>Odd</Code><Message>never</Message></Error>"
                    .getBytes(StandardCharsets.UTF_8));

    for (ThrowingCallable request :
        List.<ThrowingCallable>of(
            () -> store.putIfAbsent("log/1", ObjectBody.of(object)),
            () -> store.compareAndSet("cluster/lease", null, object),
            () -> store.get("cluster/lease"))) {
      assertThatThrownBy(request)
          .isInstanceOfSatisfying(
              StoreException.Unavailable.class,
              e -> assertThat(e.failure()).isEqualTo(StoreFailure.DENIED))
          .hasMessageContaining(status + " Odd: never");
    }
    assertThatThrownBy(() -> store.put("k", ObjectBody.of(object)))
        .isInstanceOf(StoreException.Denied.class);
  }

  /// Whoever knows what a damaged register should be replaces it.
  @Test
  void theVersionOfARegisterIsKnownThoughItsFirstBytesAreDamaged() {
    handler =
        exchange -> {
          exchange.getResponseHeaders().set("x-amz-meta-holdfast-nonce", "attempt");
          answer(exchange, 200, "attemqt and the rest".getBytes(StandardCharsets.UTF_8));
        };

    assertThatThrownBy(() -> store.get("k"))
        .isInstanceOfSatisfying(
            StoreException.Denied.class,
            damaged ->
                assertThat(damaged.damagedVersion())
                    .isEqualTo(new ObjectStore.Version("\"e\"#attempt")));
  }

  /// A cache that passes over the query answers each page with the first one.
  @Test
  @Timeout(20)
  void aPageThatComesAgainIsNoAnswer() throws Exception {
    pages(Map.of("list-type=2", page("t1", "p/a", "p/b")));
    assertThatThrownBy(() -> listed(1000))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("listed before: [p/a] behind [p/b]");
    assertThatThrownBy(() -> store.list("", "c", 1000))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(listed(2)).containsExactly("a", "b");

    pages(Map.of("list-type=2", page("t1")));
    assertThatThrownBy(() -> listed(1000)).isInstanceOf(StoreException.Unavailable.class);
  }

  /// Some servers say nothing at all until the copy is there.
  @Test
  void aServerMayBeSilentForLongWhileItCopiesALargeObject() throws Exception {
    long[] length = {S3Writes.LARGE_COPY_BYTES};
    handler =
        exchange -> {
          if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Long.toString(length[0]));
            exchange.sendResponseHeaders(200, -1);
            return;
          }
          try {
            world.sleeper().sleep(Duration.ofMillis(900));
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          exchange.getResponseHeaders().set("Content-Type", "application/xml");
          answer(
              exchange,
              200,
              "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>"
                  .getBytes(StandardCharsets.UTF_8));
        };
    TreeMap<String, String> options =
        new TreeMap<>(
            Map.of(
                "store.s3.endpoint",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "store.s3.region",
                "us-east-1"));
    try (ObjectStore hasty =
        S3Store.open(BucketPrefix.parse("s3://bucket/p"), options, world, Duration.ofMillis(300))) {
      hasty.copy("a", "b");
      length[0]--;
      assertThatThrownBy(() -> hasty.copy("a", "b")).isInstanceOf(StoreException.Unavailable.class);
    }
  }

  @Test
  void aMissingRegionIsToldWithoutTheClassesThatWereAskedForOne() throws Exception {
    BucketPrefix bucket = BucketPrefix.parse("s3://bucket");
    AwsRegionProviderChain none =
        new AwsRegionProviderChain(() -> {
          throw SdkClientException.create("none here");
        });
    assertThatThrownBy(none::getRegion)
        .isInstanceOfSatisfying(
            SdkException.class,
            e ->
                assertThat(S3Store.notOpened(bucket, e))
                    .isEqualTo("no region for [s3://bucket]: set store.s3.region or AWS_REGION"));
  }
}
