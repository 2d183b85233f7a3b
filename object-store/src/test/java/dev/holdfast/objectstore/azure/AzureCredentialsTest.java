package dev.holdfast.objectstore.azure;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.World;
import dev.holdfast.world.real.MovedClock;
import dev.holdfast.world.real.RealWorld;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Credentials that are renewed in their file are used without a restart.
final class AzureCredentialsTest {
  private static final int ANY_PORT = 0;

  @TempDir Path folder;

  private HttpServer server;

  /// A blob service that takes one signature only.
  @BeforeEach
  void startServer() throws Exception {
    server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), ANY_PORT), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
          boolean isTaken = exchange.getRequestURI().getRawQuery().contains("sig=renewed");
          exchange.getResponseHeaders().add("ETag", "\"1\"");
          exchange.getResponseHeaders().add("x-ms-request-server-encrypted", "false");
          if (!isTaken) {
            exchange.getResponseHeaders().add("x-ms-error-code", "AuthenticationFailed");
          }
          exchange.sendResponseHeaders(isTaken ? 201 : 403, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @Test
  void aRenewedConnectionStringIsReadFromItsFile() throws Exception {
    // given
    Path file = folder.resolve("connection");
    write(file, "expired");
    AtomicLong laterNanos = new AtomicLong();
    TreeMap<String, String> options = new TreeMap<>();
    options.put(AzureContainer.CONNECTION_FILE, file.toString());
    try (ObjectStore store =
        Stores.open("az://container/prefix", options, MovedClock.later(laterNanos::get))) {
      assertRefused(store);

      // and a file that is just being written
      Files.writeString(file, "");
      laterNanos.addAndGet(AzureContainer.RELOAD_EVERY.toNanos());
      assertRefused(store);
      assertRefused(store);

      // when
      write(file, "renewed");
      assertRefused(store); // the file is not read for each refusal
      laterNanos.addAndGet(AzureContainer.RELOAD_EVERY.toNanos());
      assertRefused(store);

      // then
      assertThat(store.put("a", body("x"))).isNotNull();
    }
  }

  @Test
  void theSourceOfACopyBearsTheSignatureThatTheStoreIsOpenedBy() throws Exception {
    String account = "http://127.0.0.1:1/account";
    String blob = account + "/container/a";
    assertThat(source(AzureContainer.ENDPOINT, account + "?sv=1&sig=a%2Fb", blob))
        .isEqualTo(blob + "?sv=1&sig=a%2Fb");
    String signed = "BlobEndpoint=" + account + ";SharedAccessSignature=sv=1&sig=c";
    assertThat(source(AzureContainer.CONNECTION, signed, blob)).isEqualTo(blob + "?sv=1&sig=c");
    String key =
        "DefaultEndpointsProtocol=http;AccountName=account;AccountKey=a2V5;BlobEndpoint=" + account;
    assertThat(source(AzureContainer.CONNECTION, key, blob)).isEqualTo(blob);
  }

  private static String source(String option, String value, String url) throws Exception {
    TreeMap<String, String> options = new TreeMap<>();
    options.put(option, value);
    World world = RealWorld.create();
    return AzureContainer.open(BucketPrefix.parse("az://container/p"), options, world.clock())
        .asSource(url);
  }

  private static void assertRefused(ObjectStore store) {
    assertThatThrownBy(() -> store.put("a", body("x")))
        .isInstanceOfSatisfying(
            StoreException.Unavailable.class,
            e -> assertThat(e.failure()).isEqualTo(StoreFailure.CREDENTIALS));
  }

  private void write(Path file, String signature) throws Exception {
    Files.writeString(
        file,
        "BlobEndpoint=http://127.0.0.1:"
            + server.getAddress().getPort()
            + "/account;SharedAccessSignature=sv=2024-11-04&sig="
            + signature
            + "\n");
  }
}
