package dev.holdfast.blobcache.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackedFolderTest {
  private static final IOContext SMALL = IOContext.flush(new FlushInfo(10, 10_000));
  private static final IOContext LARGE = IOContext.flush(new FlushInfo(10_000, 10 << 20));

  @TempDir private Path path;

  private List<String> onDisk() throws IOException {
    try (var files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static void write(PackedFolder folder, String name, byte[] bytes, IOContext context)
      throws IOException {
    try (IndexOutput out = folder.createOutput(name, context)) {
      int at = 0;
      while (at < bytes.length) { // in uneven parts
        out.writeByte(bytes[at++]);
        int part = Math.min(bytes.length - at, 700);
        out.writeBytes(bytes, at, part);
        at += part;
      }
      assertThat(out.getFilePointer()).isEqualTo(bytes.length);
      CodecUtil.writeFooter(out);
    }
  }

  private static void read(PackedFolder folder, String name, byte[] bytes) throws IOException {
    try (IndexInput in = folder.openInput(name, IOContext.DEFAULT)) {
      CodecUtil.checksumEntireFile(in);
      byte[] found = new byte[bytes.length];
      in.seek(0);
      in.readBytes(found, 0, found.length);
      assertThat(found).isEqualTo(bytes);
      assertThat(folder.fileLength(name)).isEqualTo(bytes.length + CodecUtil.footerLength());
    }
  }

  @Test
  void smallFilesShareOne() throws IOException {
    try (PackedFolder folder = PackedFolder.of(path)) {
      List<byte[]> written = new ArrayList<>();
      for (int i = 0; i < 26; i++) {
        written.add(bytes(1 + 331 * i));
        write(folder, "_0." + i, written.get(i), SMALL);
      }

      assertThat(onDisk()).hasSize(1);
      assertThat(folder.listAll()).hasSize(26).isSorted();
      for (int i = 0; i < 26; i++) {
        read(folder, "_0." + i, written.get(i));
        assertThat(folder.has("_0." + i)).isTrue();
      }
      assertThat(folder.has("_0.26")).isFalse();
    }
  }

  @Test
  void whatDoesNotStaySmallHasAFileOfItsOwn() throws IOException {
    try (PackedFolder folder = PackedFolder.of(path)) {
      write(folder, "grown", bytes(PackedFolder.SMALL_MAX + 1), SMALL);
      write(folder, "of_large_segment", bytes(10), LARGE);

      assertThat(onDisk()).containsExactly("grown", "of_large_segment");
      assertThat(folder.listAll()).containsExactly("grown", "of_large_segment");
      read(folder, "grown", bytes(PackedFolder.SMALL_MAX + 1));
      read(folder, "of_large_segment", bytes(10));
      folder.deleteFile("grown");
      assertThat(onDisk()).containsExactly("of_large_segment");
    }
  }

  @Test
  void aPackGoesWhenItIsFullAndAllInItIsDeletedAndWhoReadsGoesOn() throws IOException {
    try (PackedFolder folder = PackedFolder.of(path)) {
      byte[] bytes = bytes(10_000);
      int files = FilePack.BYTES / bytes.length + 10;
      for (int i = 0; i < files; i++) {
        write(folder, "f" + i, bytes, SMALL);
      }
      assertThat(onDisk()).hasSize(2);
      IndexInput open = folder.openInput("f0", IOContext.DEFAULT);
      for (int i = 0; i < files; i++) {
        folder.deleteFile("f" + i);
      }
      assertThat(folder.listAll()).isEmpty();
      assertThat(onDisk()).as("into one more fits").hasSize(1);
      assertThat(open.readByte()).isEqualTo(bytes[0]);
      IndexInput clone = open.clone();
      clone.seek(9_999);
      assertThat(clone.readByte()).isEqualTo(bytes[9_999]);

      open.close();
    }
    assertThat(onDisk()).isEmpty();
  }

  @Test
  void whoReadsGoesOnWhenTheFolderIsClosed() throws IOException {
    PackedFolder folder = PackedFolder.of(path);
    byte[] bytes = bytes(100);
    write(folder, "a", bytes, SMALL);
    IndexInput open = folder.openInput("a", IOContext.DEFAULT);

    folder.close();

    CodecUtil.checksumEntireFile(open);
    open.close();
    assertThat(onDisk()).isEmpty();
  }

  @Test
  void temporaryFilesHaveNamesOfTheirOwn() throws IOException {
    try (PackedFolder folder = PackedFolder.of(path)) {
      List<String> names = new ArrayList<>();
      for (IOContext context : List.of(SMALL, LARGE, SMALL, LARGE)) {
        try (IndexOutput out = folder.createTempOutput("_0", "x", context)) {
          out.writeByte((byte) 7);
          names.add(out.getName());
        }
      }

      assertThat(names).doesNotHaveDuplicates();
      assertThat(onDisk()).hasSize(3);
      assertThat(folder.listAll()).containsExactlyInAnyOrderElementsOf(names);
      for (String name : names) {
        assertThat(folder.fileLength(name)).isEqualTo(1);
        folder.deleteFile(name);
      }
    }
  }

  @Test
  void aFileIsRenamed() throws IOException {
    try (PackedFolder folder = PackedFolder.of(path)) {
      write(folder, "pending_segments_1", bytes(50), IOContext.DEFAULT);
      folder.rename("pending_segments_1", "segments_1");

      assertThat(folder.listAll()).containsExactly("segments_1");
      read(folder, "segments_1", bytes(50));
    }
  }

  @Test
  void aNameThatIsTakenIsRefusedAndAMissingOneIsTold() throws IOException {
    try (PackedFolder folder = PackedFolder.of(path)) {
      write(folder, "a", bytes(50), SMALL);
      write(folder, "b", bytes(50), LARGE);

      assertThatThrownBy(() -> folder.createOutput("a", SMALL))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThatThrownBy(() -> folder.createOutput("a", LARGE))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThatThrownBy(() -> folder.createOutput("b", SMALL))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThatThrownBy(() -> folder.openInput("c", IOContext.DEFAULT))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> folder.deleteFile("c")).isInstanceOf(NoSuchFileException.class);
    }
  }

  /// Lucene deletes what it began when it fails.
  @Test
  void aFileThatIsDeletedWhileItIsWrittenIsNotThere() throws IOException {
    try (PackedFolder folder = PackedFolder.of(path)) {
      IndexOutput out = folder.createOutput("a", SMALL);
      out.writeBytes("abc".getBytes(StandardCharsets.UTF_8), 3);
      folder.deleteFile("a");
      out.close();

      assertThat(folder.listAll()).isEmpty();
      assertThatThrownBy(() -> folder.deleteFile("a")).isInstanceOf(NoSuchFileException.class);
    }
  }
}
