package dev.holdfast.node.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.internal.common.util.MinifiedBouncyCastleProvider;
import com.linecorp.armeria.server.Server;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hc.client5.http.impl.CookieSpecSupport;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NoSparePartsTest {
  @TempDir private Path folder = Path.of("");

  /// Should it change nothing, the library has changed.
  @Test
  void whatIsDoneForTlsIsDoneWithTheProvidersOfTheJdk() throws Exception {
    Path changed = copy(ClientFactory.class);
    assertThat(NoSpareParts.leave(changed)).isEqualTo(2);
    assertThat(NoSpareParts.leave(changed)).isZero();

    assertThat(providersDuringCall(copy(ClientFactory.class))).contains("ArmeriaBC");
    assertThat(providersDuringCall(changed))
        .isEqualTo(Stream.of(Security.getProviders()).map(Provider::getName).toList());
  }

  @Test
  void clientsCallWithoutContextsForTls() throws Exception {
    Path changed = copy(ClientFactory.class);
    assertThat(answered(changed)).isEqualTo("200 OK with contexts: 2");
    int _ = NoSpareParts.leave(changed);
    assertThat(answered(changed)).isEqualTo("200 OK with contexts: 0");
  }

  @Test
  void theClientOfS3ReadsNoListOfPublicSuffixes() throws Exception {
    Path changed = copy(CookieSpecSupport.class);
    assertThat(readsSuffixes(changed)).isTrue();
    assertThat(NoSpareParts.leave(changed)).isEqualTo(1);
    assertThat(NoSpareParts.leave(changed)).isZero();
    assertThat(readsSuffixes(changed)).isFalse();
  }

  private Path copy(Class<?> one) throws Exception {
    Path jar = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Files.copy(jar, Files.createTempDirectory(folder, "jar").resolve(jar.getFileName()));
  }

  /// This class path, but for one jar of it.
  private static final class Alone extends URLClassLoader {
    Alone(Path jar) throws Exception {
      super(urls(jar), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] urls(Path jar) throws Exception {
      List<URL> urls = new ArrayList<>(List.of(jar.toUri().toURL()));
      for (String other : System.getProperty("java.class.path").split(File.pathSeparator)) {
        if (!other.endsWith(File.separator + jar.getFileName())) {
          urls.add(Path.of(other).toUri().toURL());
        }
      }
      return urls.toArray(URL[]::new);
    }

    Object call(Class<?> one, String method) throws Exception {
      Thread self = Thread.currentThread();
      ClassLoader before = self.getContextClassLoader();
      self.setContextClassLoader(this); // services are looked for there
      try {
        return loadClass(one.getName()).getMethod(method).invoke(null);
      } finally {
        self.setContextClassLoader(before);
      }
    }

    boolean hasLoaded(Class<?> one) {
      return findLoadedClass(one.getName()) != null;
    }
  }

  @SuppressWarnings("unchecked")
  private static List<String> providersDuringCall(Path jar) throws Exception {
    try (Alone alone = new Alone(jar)) {
      Supplier<List<String>> names =
          () -> Stream.of(Security.getProviders()).map(Provider::getName).toList();
      return (List<String>)
          alone
              .loadClass(MinifiedBouncyCastleProvider.class.getName())
              .getMethod("call", Supplier.class)
              .invoke(null, names);
    }
  }

  private static String answered(Path jar) throws Exception {
    try (Alone alone = new Alone(jar)) {
      return String.valueOf(alone.call(Calling.class, "call"));
    }
  }

  private static boolean readsSuffixes(Path jar) throws Exception {
    try (Alone alone = new Alone(jar)) {
      Object _ = alone.call(CookieSpecSupport.class, "createDefault");
      return alone.hasLoaded(PublicSuffixMatcherLoader.class);
    }
  }

  /// Loaded with the library that is tried: a node's client calls a server.
  public static final class Calling {
    private Calling() {}

    public static String call() throws Exception {
      AtomicInteger contexts = new AtomicInteger();
      Server server =
          Server.builder().http(0).service("/", (_, _) -> HttpResponse.of(HttpStatus.OK)).build();
      server.start().get();
      try (ClientFactory clients =
          ClientFactory.builder()
              .useHttp2Preface(true)
              .tlsCustomizer(_ -> contexts.incrementAndGet())
              .build()) {
        String url = "h2c://127.0.0.1:" + server.activeLocalPort();
        HttpStatus status =
            WebClient.builder(url).factory(clients).build().get("/").aggregate().get().status();
        return status + " with contexts: " + contexts;
      } finally {
        server.stop().get();
      }
    }
  }
}
