package dev.holdfast.node.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.internal.common.util.MinifiedBouncyCastleProvider;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NoSpareKeysTest {
  @TempDir private Path folder = Path.of("");

  /// Should it change nothing, the library has changed.
  @Test
  void whatIsDoneForTlsIsDoneWithTheProvidersOfTheJdk() throws Exception {
    Path changed = copy();
    assertThat(NoSpareKeys.leave(changed)).isEqualTo(1);
    assertThat(NoSpareKeys.leave(changed)).isZero();

    assertThat(providersDuringCall(copy())).contains("ArmeriaBC");
    assertThat(providersDuringCall(changed))
        .isEqualTo(Stream.of(Security.getProviders()).map(Provider::getName).toList());
  }

  private Path copy() throws Exception {
    Path jar =
        Path.of(ClientFactory.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Files.copy(jar, Files.createTempDirectory(folder, "jar").resolve("armeria.jar"));
  }

  @SuppressWarnings("unchecked")
  private static List<String> providersDuringCall(Path jar) throws Exception {
    List<URL> urls = new ArrayList<>(List.of(jar.toUri().toURL()));
    for (String other : System.getProperty("java.class.path").split(":")) {
      if (!other.contains("/armeria-")) {
        urls.add(Path.of(other).toUri().toURL());
      }
    }
    try (URLClassLoader alone =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Supplier<List<String>> names =
          () -> Stream.of(Security.getProviders()).map(Provider::getName).toList();
      return (List<String>)
          alone
              .loadClass(MinifiedBouncyCastleProvider.class.getName())
              .getMethod("call", Supplier.class)
              .invoke(null, names);
    }
  }
}
