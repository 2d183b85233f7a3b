package dev.holdfast.node;

import com.linecorp.armeria.internal.common.util.MinifiedBouncyCastleProvider;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.FromTheWorld;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// What the library of the network prepares for TLS, whether anybody uses it or not: curves,
/// certificates, protocols. In a cold Java machine that takes a quarter of a second, so it is done
/// beside the rest of the start, and nothing is done that the JDK has, too. Calls between nodes and
/// those of clients are not encrypted here; what stores encrypt is not the network library's.
final class TlsPreparation {
  private static final List<String> REMOTE = List.of("s3:", "gs:", "az:");

  private TlsPreparation() {}

  /// Called before anything else of the network. What the command line says stands.
  @FromTheWorld
  static void begin() {
    byDefault("com.linecorp.armeria.tlsEngineType", "jdk");
    // Events of buffers for the JDK's flight recorder: nobody looks at them, and to register them
    // starts it.
    byDefault("io.netty.jfr.enabled", "false");
    // Whether all jars of Netty are of one version: it reads their dates, in a cold Java machine a
    // twentieth of a second.
    byDefault("com.linecorp.armeria.warnNettyVersions", "false");
    var _ = Thread.ofPlatform().daemon().name("tls").start(TlsPreparation::curves);
  }

  /// Called as soon as it is known where the store is: only a store that is encrypted needs to know
  /// whom to trust.
  @FromTheWorld
  static void begin(NodeSettings settings) {
    if (isEncrypted(settings)) {
      var _ = Thread.ofPlatform().daemon().name("tls").start(TlsPreparation::certificates);
    }
  }

  static boolean isEncrypted(NodeSettings settings) {
    return REMOTE.stream().anyMatch(settings.store()::startsWith)
        && settings.storeOptions().entrySet().stream()
            .noneMatch(
                one -> one.getKey().endsWith(".endpoint") && one.getValue().startsWith("http://"));
  }

  private static void byDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /// These classes wait for each other only, and log nothing: the log is not configured yet.
  private static void curves() {
    MinifiedBouncyCastleProvider.call(() -> {});
  }

  static void certificates() {
    try {
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init((@Nullable KeyStore) null);
      SSLContext protocols = SSLContext.getInstance("TLS");
      protocols.init(null, null, null);
    } catch (GeneralSecurityException e) {
      return; // whoever needs it says so
    }
  }
}
