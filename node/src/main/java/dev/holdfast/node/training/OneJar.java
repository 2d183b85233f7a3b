package dev.holdfast.node.training;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Makes one jar of all that a node has on its class path. Who looks for a service asks every jar,
/// and a class that the start-up cache does not hold is looked for from the first jar on: twenty
/// times in a start. With two hundred jars to be opened that was a tenth of it.
///
/// Of what has the same name in several the first counts, as on a class path, but for what is read
/// from all: the lists of services and of Netty's parts are put together. Licences and notices lie
/// below `META-INF/jars/`, each by its jar. Signatures go: they are of jars that are no more. Where
/// a jar has classes for several Java machines, those for this one are taken, under their names: no
/// start-up cache holds any of `META-INF/versions/`.
public final class OneJar {
  private static final String MANIFEST = JarFile.MANIFEST_NAME;

  private static final Pattern READ_FROM_ALL =
      Pattern.compile("META-INF/services/.+|META-INF/io\\.netty\\.versions\\.properties");

  private static final Pattern LEFT_OUT =
      Pattern.compile(
          ".*/|(.*/)?module-info\\.class|META-INF/versions/.*"
              + "|META-INF/(MANIFEST\\.MF|INDEX\\.LIST|[^/]+\\.(SF|RSA|DSA|EC))");

  private static final Pattern OF_ITS_JAR =
      Pattern.compile(
          "(?i)(META-INF/)?[^/]*(licen[cs]e|notice|copying|copyright|dependencies)[^/]*(/.*)?"
              + "(?<!\\.class)");

  private final ZipOutputStream out;
  private final Set<String> names = new HashSet<>();
  private final Map<String, ByteArrayOutputStream> lists = new TreeMap<>();
  private long newest;

  private OneJar(ZipOutputStream out) {
    this.out = out;
  }

  /// @param jars the first is made of all of them, in that order; the others are deleted
  public static void main(String[] jars) throws IOException {
    SequencedSet<Path> paths = new LinkedHashSet<>(); // the first may be among the others, too
    for (String jar : jars) {
      paths.add(Path.of(jar));
    }
    make(List.copyOf(paths));
  }

  static void make(List<Path> jars) throws IOException {
    Path one = jars.getFirst();
    Path made = one.resolveSibling(one.getFileName() + ".made");
    try {
      try (OutputStream file = Files.newOutputStream(made);
          ZipOutputStream to = new ZipOutputStream(file)) {
        to.setLevel(Deflater.BEST_SPEED); // each build waits for it
        OneJar all = new OneJar(to);
        all.begin();
        for (Path jar : jars) {
          all.add(jar);
        }
        all.end();
      }
      Files.move(made, one, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(made);
    }
    for (Path jar : jars) {
      if (!jar.equals(one)) {
        Files.delete(jar);
      }
    }
  }

  private void begin() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    manifest.write(bytes);
    put(MANIFEST, 0, bytes.toByteArray());
  }

  private void add(Path path) throws IOException {
    String fileName = String.valueOf(path.getFileName());
    String folder = "META-INF/jars/" + fileName.replaceFirst("\\.jar$", "") + "/";
    try (JarFile jar =
        new JarFile(path.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
      for (JarEntry entry : jar.versionedStream().toList()) {
        String name = entry.getName();
        if (LEFT_OUT.matcher(name).matches()) {
          continue;
        }
        newest = Math.max(newest, entry.getTime());
        byte[] bytes = bytes(jar, entry);
        if (READ_FROM_ALL.matcher(name).matches()) {
          ByteArrayOutputStream list =
              lists.computeIfAbsent(name, _ -> new ByteArrayOutputStream());
          list.write(bytes);
          list.write('\n'); // the last line of a file may have no end
        } else if (OF_ITS_JAR.matcher(name).matches()) {
          put(folder + name.replaceFirst("^META-INF/", ""), entry.getTime(), bytes);
        } else {
          put(name, entry.getTime(), bytes);
        }
      }
    }
  }

  private static byte[] bytes(JarFile jar, JarEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private void end() throws IOException {
    for (Map.Entry<String, ByteArrayOutputStream> list : lists.entrySet()) {
      put(list.getKey(), newest, list.getValue().toByteArray());
    }
  }

  private void put(String name, long millis, byte[] bytes) throws IOException {
    if (names.add(name)) {
      ZipEntry entry = new ZipEntry(name);
      entry.setTime(millis);
      out.putNextEntry(entry);
      out.write(bytes);
      out.closeEntry();
    }
  }
}
