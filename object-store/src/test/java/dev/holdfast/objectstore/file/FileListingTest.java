package dev.holdfast.objectstore.file;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.Iterator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class FileListingTest {
  /// A disk or a server that fails between two names.
  private static final DirectoryStream<Path> BROKEN =
      new DirectoryStream<>() {
        @Override
        public Iterator<Path> iterator() {
          throw new DirectoryIteratorException(new IOException("Stale file handle"));
        }

        @Override
        public void close() {}
      };

  @Test
  void aFolderThatCannotBeReadToItsEndIsAskedForAgain() {
    assertThatThrownBy(() -> FileFailures.sorted("list of [a/]", () -> FileFailures.all(BROKEN)))
        .hasMessageContaining("Stale file handle")
        .asInstanceOf(InstanceOfAssertFactories.type(StoreException.Unavailable.class))
        .returns(StoreFailure.INTERNAL, StoreException.Unavailable::failure);
  }
}
