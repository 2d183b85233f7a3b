package dev.holdfast.node.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FirstReleaseTest {
  @TempDir private Path folder = Path.of("");

  /// Should it take nothing away, the library needs it no more.
  @Test
  void whatIsLeftOfZstdCompressesAndDecompresses() throws Exception {
    Path jar = Path.of(Zstd.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path copy = Files.copy(jar, folder.resolve("zstd-jni.jar"));

    assertThat(FirstRelease.keep(copy)).isGreaterThan(10);
    assertThat(FirstRelease.keep(copy)).isZero();

    byte[] text = "what is written is read ".repeat(100).getBytes(UTF_8);
    try (URLClassLoader alone =
        new URLClassLoader(
            new URL[] {copy.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      Class<?> zstd = alone.loadClass("com.github.luben.zstd.Zstd");
      byte[] small = (byte[]) zstd.getMethod("compress", byte[].class).invoke(null, text);
      Object whole =
          zstd.getMethod("decompress", byte[].class, int.class).invoke(null, small, text.length);
      assertThat(small).hasSizeLessThan(200);
      assertThat(whole).isEqualTo(text);
    }
  }
}
