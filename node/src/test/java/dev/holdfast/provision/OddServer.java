package dev.holdfast.provision;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server with TLS and a certificate of its own, which answers as it is told: what API servers,
/// and what stands before them, do on bad days.
final class OddServer implements AutoCloseable {
  private static final String PASSWORD = "of-a-test";

  private final HttpsServer server;
  private final Path certificate;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private volatile int status = 200;
  private volatile String body = "";
  private volatile boolean isHanging;

  private OddServer(HttpsServer server, Path certificate) {
    this.server = server;
    this.certificate = certificate;
  }

  static OddServer start(Path folder) throws Exception {
    Path keys = folder.resolve("odd.p12");
    Path certificate = folder.resolve("odd.crt");
    keytool(
        "-genkeypair",
        "-alias",
        "odd",
        "-keyalg",
        "EC",
        "-dname",
        "CN=odd",
        "-ext",
        "san=ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-keystore",
        keys.toString(),
        "-storepass",
        PASSWORD);
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        "odd",
        "-keystore",
        keys.toString(),
        "-storepass",
        PASSWORD,
        "-file",
        certificate.toString());
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    OddServer odd = new OddServer(server, certificate);
    server.createContext("/", odd::answer);
    server.setExecutor(odd.threads);
    server.start();
    return odd;
  }

  private static void keytool(String... words) throws Exception {
    String[] command = new String[words.length + 1];
    command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    System.arraycopy(words, 0, command, 1, words.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.incrementAndGet();
    try (exchange) {
      if (isHanging) {
        end.await();
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("retry-after", status == 429 ? "30" : "0");
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void answers(int status, String body) {
    this.status = status;
    this.body = body;
  }

  void hangs() {
    isHanging = true;
  }

  int asked() {
    return asked.get();
  }

  String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  Path certificate() {
    return certificate;
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
